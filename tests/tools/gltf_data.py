"""The arrays of a glTF file, put together one by one: for tests that write models."""
import struct


class GltfData:
    """Bytes of the buffer, and what the file says of them."""

    def __init__(self):
        self.blob, self.views, self.accessors = b"", [], []

    def add(self, values, form, kind, component, **more):
        """The number of the accessor. `form` is a letter of struct, `kind` SCALAR or VEC3."""
        data = struct.pack(f"<{len(values)}{form}", *values)
        self.views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob += data + b"\0" * (-len(data) % 4)
        width = {"SCALAR": 1, "VEC3": 3}[kind]
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "type": kind,
                               "count": len(values) // width, **more})
        return len(self.accessors) - 1

    def members(self, **buffer):
        """Of the root of the file. `buffer`: what its buffer has besides its size."""
        return {"accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": len(self.blob), **buffer}]}
