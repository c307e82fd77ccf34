// Types for a package that ships none; only what the replay uses.

declare module 'eslint-plugin-security' {
  import type { ESLint } from 'eslint'

  const plugin: ESLint.Plugin
  export default plugin
}
