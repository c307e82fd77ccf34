// The paths at which a walk over JSON yields values, as a tree that is descended along with the document.

/**
 * What is wanted below a place. `each`: in an array's items. `any`: in an object's values, whatever their keys. `opened`: the path that is
 * yielded for the existence of an array here, whatever it contains.
 */
export type Wanted = {
  path: string | null
  keys: Map<string, Wanted>
  each: Wanted | null
  any: Wanted | null
  opened: string | null
}

/** A place that no path leads to. */
export const nothing: Wanted = { path: null, keys: new Map(), each: null, any: null, opened: null }

/** Parses paths from a document's root: `runs[].results[]`, `vulnerabilities.*`, `runs[].results[` for the array's existence, `` for everything. */
export function wantedOf(paths: readonly string[]): Wanted {
  const root: Wanted = { ...nothing, keys: new Map() }
  for (const path of paths) {
    let here = root
    const isOpening = path.endsWith('[')
    const steps = (isOpening ? path.slice(0, -1) : path).replaceAll('[]', '.[]').split('.').filter(Boolean)
    for (const step of steps) here = below(here, step)
    if (isOpening) {
      here.opened = path
      below(here, '[]')
    } else here.path = path
  }
  return root
}

function below(here: Wanted, step: string): Wanted {
  const next = step === '[]' ? here.each : step === '*' ? here.any : here.keys.get(step)
  if (next) return next
  const made: Wanted = { ...nothing, keys: new Map() }
  if (step === '[]') here.each = made
  else if (step === '*') here.any = made
  else here.keys.set(step, made)
  return made
}
