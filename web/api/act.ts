// What a click does at once, outside of a form: whether it runs, and the failure that it met last.

import { useCallback, useState } from 'react'
import { asFailure, type Failure } from './failure.ts'

export function useAct() {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const act = useCallback(async (work: () => Promise<void>) => {
    setRunning(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(asFailure(error))
    } finally {
      setRunning(false)
    }
  }, [])
  const forget = useCallback(() => setFailure(undefined), [])
  return { act, isRunning, failure, forget }
}
