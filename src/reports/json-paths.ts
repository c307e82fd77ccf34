// The paths at which a walk through JSON gives values, as a tree that it goes down with the document.

/**
 * What is wanted below a place. `each`: of an array's items. `any`: of an object's values whatever their key. `opened`: the path under
 * which it is told that there is an array here, whatever is in it.
 */
export type Wanted = {
  path: string | null
  keys: Map<string, Wanted>
  each: Wanted | null
  any: Wanted | null
  opened: string | null
}

/** Where no path leads. */
export const nothing: Wanted = { path: null, keys: new Map(), each: null, any: null, opened: null }

/** What `paths` want of a document, from its root: `runs[].results[]`, `vulnerabilities.*`, `runs[].results[` for whether it is there, or `` for all of it. */
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
