// Recognises tests, examples, documentation and generated files by their paths.

/** A test, or the data of one, by its folder or by its name. */
export const isTestPath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|test-data|testing)\/|[._-](?:tests?|spec)\.\w{1,20}$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:test_[^/]{1,200}\.py|[^/]{1,200}_test\.(?:go|py|rb)|[^/]{1,200}Tests?\.(?:java|kt|cs|php))$/.test(path)

/** Example code. */
export const isExampleCode = (path: string): boolean => /(?:^|\/)examples?\//.test(path)

/** Mocks for tests. */
export const isMock = (path: string): boolean => /(?:^|\/)mocks?\//.test(path)

/** A test, an example, a template or documentation: secrets there are seldom real. */
export const isExamplePath = (path: string): boolean =>
  isTestPath(path) ||
  /(?:^|\/)(?:__mocks__|mocks?|examples?|samples?|demos?|docs?|documentation)\//i.test(path) ||
  /(?:^|\/)[^/]{0,200}(?:[._-](?:test|tests|spec|example|sample|mock|fixture|dist|template)\.[^/]{1,20}|\.(?:md|mdx|rst|adoc|example|sample|template|dist|snap))$/i.test(
    path,
  )

/** Lockfiles, bundles, source maps and pictures: they are full of hashes, which are not secrets. */
export const isGeneratedPath = (path: string): boolean =>
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|composer\.lock|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|gradle\.lockfile|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|flake\.lock|deno\.lock)$/i.test(
    path,
  ) ||
  /\.(?:min\.(?:js|css)|map|svg|ipynb|pem\.pub|snap)$|(?:^|\/)(?:node_modules|vendor|third_party|bower_components)\//i.test(
    path,
  )
