/* IMPORT(function) after its declaration: with PLIANT_IMPORT_DECODERS it is outside of the module
 * of WebAssembly, and what starts that provides it (bindings/wasm/bin/decoders.js). This keeps the
 * libraries out of the module.
 */
#ifndef TOOLS_IMPORT_H
#define TOOLS_IMPORT_H

#ifdef DECODERS_ARE_IMPORTED
#define IMPORT(function)                                                                           \
    extern __typeof__(function) function                                                           \
        __attribute__((import_module("pliant"), import_name(#function)));
#else
#define IMPORT(function)
#endif

#endif
