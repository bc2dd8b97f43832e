#include "test/bench/experiments/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace mcmini::experiments {

namespace {

constexpr int kFewest = 2;
constexpr int kMost = 10;
constexpr double kWidth = 640;
constexpr double kHeight = 420;
constexpr double kMargin = 60;
constexpr int kLeastPower = -2;  // of ten, in seconds
constexpr int kGreatestPower = 4;

struct Point {
  int philosophers;
  double seconds;
};

double across(int philosophers) {
  return kMargin + (kWidth - 2 * kMargin) * (philosophers - kFewest) / (kMost - kFewest);
}
double down(double seconds) {
  double power = std::clamp(std::log10(seconds), double{kLeastPower}, double{kGreatestPower});
  return kHeight - kMargin - (kHeight - 2 * kMargin) * (power - kLeastPower) / (kGreatestPower - kLeastPower);
}

std::string label(double x, double y, const std::string& text, const std::string& anchor = "middle") {
  std::ostringstream out;
  out << "  <text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << text
      << "</text>\n";
  return out.str();
}

std::string axes() {
  std::ostringstream out;
  for (int power = kLeastPower; power <= kGreatestPower; ++power) {
    double y = down(std::pow(10, power));
    out << "  <line x1=\"" << kMargin << "\" x2=\"" << kWidth - kMargin << "\" y1=\"" << y << "\" y2=\"" << y
        << "\" stroke=\"#ddd\"/>\n";
    std::ostringstream seconds;
    seconds << std::pow(10, power);
    out << label(kMargin - 8, y + 4, seconds.str(), "end");
  }
  for (int n = kFewest; n <= kMost; ++n) out << label(across(n), kHeight - kMargin + 20, std::to_string(n));
  out << label(kWidth / 2, kHeight - 15, "philosophers");
  out << label(kMargin - 8, kMargin - 20, "seconds", "end");
  return out.str();
}

std::string curve(const std::vector<Point>& points, const std::string& color, const std::string& name) {
  std::ostringstream out;
  out << "  <polyline fill=\"none\" stroke=\"" << color << "\" stroke-width=\"2\" points=\"";
  for (const Point& point : points) out << across(point.philosophers) << "," << down(point.seconds) << " ";
  out << "\"/>\n";
  for (const Point& point : points)
    out << "  <circle cx=\"" << across(point.philosophers) << "\" cy=\"" << down(point.seconds)
        << "\" r=\"3\" fill=\"" << color << "\"/>\n";
  out << label(across(points.back().philosophers) - 8, down(points.back().seconds) - 8, name, "end");
  return out.str();
}

std::vector<Point> published() {
  std::vector<Point> points;
  for (const Table& table : tables())
    for (const Row& row : table.rows)
      if (table.name == "philosophers" && row.published.seconds)
        points.push_back({std::stoi(row.arguments.front()), *row.published.seconds});
  return points;
}

std::vector<Point> ours(const Checker& checker) {
  std::vector<Point> points;
  for (int n = kFewest; n <= kMost; ++n) {
    std::fprintf(stderr, "figure: philosophers %d\n", n);
    points.push_back({n, checker.check("philosophers", {std::to_string(n)}, {}).seconds});
  }
  return points;
}

}  // namespace

void drawPhilosophers(const Checker& checker, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  if (!out) throw Mistake("cannot write the figure to " + file.string());
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kWidth << "\" height=\"" << kHeight
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "  <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      << label(kWidth / 2, 20, "Time of a complete search over the number of philosophers") << axes()
      << curve(published(), "#b33", "McMini, as published") << curve(ours(checker), "#36b", "here")
      << "</svg>\n";
  out.close();
  if (!out) throw Mistake("cannot write the figure to " + file.string());
}

}  // namespace mcmini::experiments
