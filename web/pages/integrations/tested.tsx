// A button that tests whether a tool accepts its stored credential, with the tool's answer.

import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { asFailure } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { StandingWord } from '../../ui/verdict.tsx'
import { withToolNames } from '../../util/words.ts'
import { Test } from './documents.ts'

type Props = {
  integrationId: string
  name: string
  mayNot: string | undefined
  isMain?: boolean
  /** called once there is an answer, whatever it is */
  onTested?: () => void
  /** further buttons, next to the test button */
  children?: ReactNode
}

export function Tested({ integrationId, name, mayNot, isMain = false, onTested, children }: Props) {
  const change = useChange()
  const [isRunning, setRunning] = useState(false)
  const [told, setTold] = useState<{ isAccepted: boolean; sentence: string }>()
  const test = async () => {
    setRunning(true)
    setTold(undefined)
    try {
      const { testIntegration } = await change(Test, { input: { id: integrationId } })
      const isAccepted = testIntegration?.isAccepted === true
      setTold({
        isAccepted,
        sentence: withToolNames(testIntegration?.sentence ?? `${name} accepts the credential.`),
      })
    } catch (error) {
      setTold({ isAccepted: false, sentence: asFailure(error).message })
    } finally {
      setRunning(false)
      onTested?.()
    }
  }
  return (
    <>
      <div className="row">
        <Button
          size={isMain ? 'usual' : 'small'}
          tone={isMain ? 'main' : 'plain'}
          aria-label={`Test ${name}`}
          disabledReason={mayNot}
          isRunning={isRunning}
          onClick={() => void test()}
        >
          Test
        </Button>
        {children}
      </div>
      <p role="status" className="words">
        {told && (
          <>
            <StandingWord of={told.isAccepted ? 'good' : 'bad'}>
              {told.isAccepted ? 'Accepted' : 'Refused'}
            </StandingWord>{' '}
            {told.sentence}
          </>
        )}
      </p>
    </>
  )
}
