// Recognises by their paths files that are tests, examples and documentation, and files that a program generated.

/** A test, by its folder or by its name. */
export const isTestPath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$|Tests?\.(?:java|php)$|_test\.go$/.test(
    path,
  )

/** Code that shows how something is used. */
export const isExampleCode = (path: string): boolean => /(?:^|\/)examples?\//.test(path)

/** What stands in for something else in tests. */
export const isMock = (path: string): boolean => /(?:^|\/)mocks?\//.test(path)

/** A test, an example, a fixture or documentation: what stands there is seldom in use. */
export const isExamplePath = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|e2e|fixtures?|testdata|test-data|testing|mocks?|examples?|samples?|demos?|docs?|documentation)\//i.test(
    path,
  ) ||
  /(?:^|\/)[^/]{0,200}(?:[._-](?:test|tests|spec|example|sample|mock|fixture|dist|template)\.[^/]{1,20}|\.(?:md|mdx|rst|adoc|example|sample|template|dist|snap))$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:test_[^/]{1,200}\.py|[^/]{1,200}_test\.(?:go|py|rb)|[^/]{1,200}Tests?\.(?:java|kt|cs|php))$/.test(path)

/** Lockfiles, bundles, maps and pictures: full of hashes, which are not secrets. */
export const isGeneratedPath = (path: string): boolean =>
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|composer\.lock|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|gradle\.lockfile|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|flake\.lock|deno\.lock)$/i.test(
    path,
  ) ||
  /\.(?:min\.(?:js|css)|map|svg|ipynb|pem\.pub|snap)$|(?:^|\/)(?:node_modules|vendor|third_party|bower_components)\//i.test(
    path,
  )
