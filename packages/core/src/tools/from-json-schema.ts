/**
 * The TypeScript type of a JSON Schema written out as a literal, so that `execute` needs no annotations. Schemas whose type
 * is not known while compiling, and keywords beyond the plain ones, give `unknown`.
 */
export type FromJsonSchema<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly type: 'object'; readonly properties: infer P extends object }
      ? FromProperties<P, S extends { readonly required: readonly (infer K)[] } ? K : never>
      : S extends { readonly type: 'array'; readonly items: infer I }
        ? readonly FromJsonSchema<I>[]
        : S extends { readonly type: infer T extends keyof Plain }
          ? Plain[T]
          : unknown

interface Plain {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
  readonly object: { readonly [key: string]: unknown }
  readonly array: readonly unknown[]
}

type FromProperties<P extends object, Required> = {
  readonly [K in keyof P as K extends Required ? K : never]: FromJsonSchema<P[K]>
} & {
  readonly [K in keyof P as K extends Required ? never : K]?: FromJsonSchema<P[K]>
}
