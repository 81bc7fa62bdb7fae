export { type WasmOptions, wasm } from './wasm.ts'
