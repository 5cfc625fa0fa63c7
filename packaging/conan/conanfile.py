"""Pliant for Conan 2. The archive pliant-@VERSION@.tar.gz lies beside this file."""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, unzip


class Pliant(ConanFile):
    name = "pliant"
    version = "@VERSION@"
    license = "MIT"
    description = "Exact collision detection between deforming meshes"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    exports_sources = "pliant-@VERSION@.tar.gz"

    def layout(self):
        cmake_layout(self)

    def source(self):
        unzip(self, os.path.join(self.export_sources_folder, "pliant-@VERSION@.tar.gz"), strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("TESTS", "BENCH", "EXAMPLES", "GL", "TOOLS"):
            toolchain.cache_variables[f"PLIANT_{name}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["pliant"]
        self.cpp_info.set_property("cmake_file_name", "pliant")
        self.cpp_info.set_property("cmake_target_name", "pliant::pliant")
        self.cpp_info.set_property("pkg_config_name", "pliant")
        if self.options.shared:
            self.cpp_info.defines = ["PLIANT_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
