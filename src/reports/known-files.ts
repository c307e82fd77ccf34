// Infers where a repository was checked out from the files that are known to be in it.

/** Directories of dependencies and of the operating system, whose files often have the same names as those of a repository. */
const OF_OTHERS =
  /\/(?:node_modules|vendor|site-packages|dist-packages|bower_components|\.?venv|\.cargo|\.m2|\.gradle|pkg\/mod|hostedtoolcache)\/|^\/usr\/(?:local\/)?(?:include|lib\w*|share|go)\/|^[A-Za-z]:\/Program Files(?: \(x86\))?\//

/**
 * Returns a function from an absolute path to the checkout directory, ending in `/`: the path must end in one known file's whole path, and
 * match no other file as far; otherwise null. `files` are distinct paths relative to the root.
 */
export function knowingFiles(files: readonly string[]): (path: string) => string | null {
  const named = Map.groupBy(files, nameOf)
  return (path) => {
    const alike = OF_OTHERS.test(path) ? [] : (named.get(nameOf(path)) ?? [])
    const names = alike.map((file) => namesInCommon(file, path))
    const most = Math.max(...names)
    const [best, ...equal] = alike.filter((_, index) => names[index] === most)
    if (best === undefined || equal.length > 0 || !path.endsWith(`/${best}`)) return null
    return path.slice(0, -best.length)
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The number of equal path segments at the end of both. */
function namesInCommon(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const differing = left.findIndex((name, index) => name !== right[index])
  return differing === -1 ? left.length : differing
}
