// Runs an immediate action outside a form, and tracks whether it is running and how it last failed.

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
