// The data flow of a SARIF result: the steps of its first code flow.

import { flowOf, placeOfStep } from '../flow.ts'
import type { CodeObservation, FlowStep } from '../types.ts'
import { at, type Fields, list, object, textAt, whole } from '../values.ts'
import { placeOfLocation } from './places.ts'
import type { Run } from './run.ts'

/** Steps of one result that are read. */
const MOST_READ = 10_000

export function flowOfResult(result: Fields, run: Run): Pick<CodeObservation, 'source' | 'sink' | 'flow'> {
  const told = list(at(result, 'codeFlows', 0, 'threadFlows', 0, 'locations'))
  if (told.length < 2) return {}
  const steps = (told.length > MOST_READ ? [told[0], told.at(-1)] : told).map((step) => stepOf(step, run))
  const [first, last] = [steps[0], steps.at(-1)]
  const flow = flowOf(steps)
  return {
    source: first && placeOfStep(first),
    sink: last && placeOfStep(last),
    ...(flow ? { flow } : {}),
  }
}

/** A step says what happens there in its message; without one it has the code. */
function stepOf(step: unknown, run: Run): FlowStep {
  const index = whole(at(step, 'index'), 0)
  const location = object(at(step, 'location') ?? (index === undefined ? undefined : run.steps[index]))
  const { fileName, line, logicalName, message } = placeOfLocation(location, run.places)
  const code = textAt(location, 'physicalLocation', 'region', 'snippet', 'text')?.split('\n', 1)[0]?.trim()
  return { path: fileName, line, text: message ?? code ?? logicalName }
}
