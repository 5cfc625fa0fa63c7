# The formula reads the archive that lies beside it; a publisher of the archive puts its address here.
class Pliant < Formula
  desc "Exact collision detection between deforming meshes"
  url "file://#{__dir__}/pliant-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkg-config" => :build
  depends_on "jansson"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DPLIANT_TESTS=OFF", "-DPLIANT_BENCH=OFF", "-DPLIANT_EXAMPLES=OFF",
           "-DPLIANT_GL=OFF", "-DPLIANT_PAGE=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pliant --version")
  end
end
