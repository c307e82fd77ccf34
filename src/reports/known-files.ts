// Finds where a repository was checked out to, by the files that are known to be in it.

/** Directories of what others made, and of what a machine comes with, whose files are called like those of any repository. */
const OF_OTHERS =
  /\/(?:node_modules|vendor|site-packages|dist-packages|bower_components|\.?venv|\.cargo|\.m2|\.gradle|pkg\/mod|hostedtoolcache)\/|^\/usr\/(?:local\/)?(?:include|lib\w*|share|go)\/|^[A-Za-z]:\/Program Files(?: \(x86\))?\//

/**
 * Tells of an absolute path the repository's directory, ending in `/`: where all of one file's path stands at its end, and no other
 * file has as much of it; else null. `files` are paths from the root, each once.
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

/** How many names at the end of both are the same. */
function namesInCommon(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()]
  const differing = left.findIndex((name, index) => name !== right[index])
  return differing === -1 ? left.length : differing
}
