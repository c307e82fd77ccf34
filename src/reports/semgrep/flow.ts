// The data flow of a Semgrep result: its trace from the source over variables to the sink.

import { flowOf, placeOfStep } from '../flow.ts'
import type { CodeObservation, FlowStep } from '../types.ts'
import { at, objects, text, whole } from '../values.ts'

/** `isSecret`: the code of the steps could be the secret itself, so that only the two places are told. */
export function flowOfTrace(trace: unknown, isSecret: boolean): Pick<CodeObservation, 'source' | 'sink' | 'flow'> {
  const [source, sink] = [placeIn(at(trace, 'taint_source')), placeIn(at(trace, 'taint_sink'))]
  const between = objects(at(trace, 'intermediate_vars'))
    .slice(0, 1000)
    .flatMap((each) => stepOf(each.location, each.content) ?? [])
  const flow = source && sink && !isSecret ? flowOf([source, ...between, sink]) : undefined
  return {
    source: source && placeOfStep({ ...source, text: undefined }),
    sink: sink && placeOfStep({ ...sink, text: undefined }),
    ...(flow ? { flow } : {}),
  }
}

/** The first place in `["CliLoc", [{path, start, end}, "code"]]`, or in the deeper lists of a call. */
function placeIn(trace: unknown, depth = 0): FlowStep | undefined {
  if (depth > 8) return undefined
  if (!Array.isArray(trace)) return stepOf(at(trace, 'location') ?? trace, at(trace, 'content'))
  const [own, code] = trace
  const here = stepOf(own, code)
  if (here) return here
  for (const each of trace.slice(0, 10)) {
    const place = placeIn(each, depth + 1)
    if (place) return place
  }
  return undefined
}

function stepOf(location: unknown, code: unknown): FlowStep | undefined {
  const path = text(at(location, 'path'))
  if (path === undefined) return undefined
  return { path, line: whole(at(location, 'start', 'line')), text: text(code, 2000)?.split('\n', 1)[0]?.trim() }
}
