/**
 * The floors of the house. A package imports from lower floors only, so a floor 1 package knows `spec` and nothing else of
 * ours. Floor 1 has what roles are and what they share; floor 2 one technology each: a vendor's models, a kind of sandbox. A
 * new package gets its line here, and nowhere else.
 */
export const floors: Readonly<Record<string, number>> = {
  '@codeact/spec': 0,

  '@codeact/core': 1,
  '@codeact/model': 1,
  '@codeact/parsers': 1,
  '@codeact/sandbox': 1,
  '@codeact/testing': 1,

  '@codeact/executor-docker': 2,
  '@codeact/executor-e2b': 2,
  '@codeact/executor-local': 2,
  '@codeact/executor-wasm': 2,
  '@codeact/provider-ai-sdk': 2,
  '@codeact/provider-anthropic': 2,
  '@codeact/provider-openai': 2,
  '@codeact/provider-replay': 2,

  '@codeact/config': 3,

  '@codeact/demo': 4,
}

/** What a package depends on without a word of it in its source: adapters that `config` then finds by name. */
export const brought: Readonly<Record<string, readonly string[]>> = {
  '@codeact/demo': [
    '@codeact/executor-docker',
    '@codeact/executor-e2b',
    '@codeact/executor-local',
    '@codeact/executor-wasm',
    '@codeact/provider-anthropic',
    '@codeact/provider-openai',
    '@codeact/provider-replay',
  ],
}
