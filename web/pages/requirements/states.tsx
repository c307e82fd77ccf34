// The states of checks, each as a word in its colour.

import type { EnumOf } from '../../api/graphql.ts'
import { type Standing, StandingWord } from '../../ui/verdict.tsx'
import { wordsOf } from '../../util/words.ts'

export type CheckState = EnumOf<'CheckState'>

/** Those that need attention come first. */
export const states = ['VIOLATED', 'UNKNOWN', 'SATISFIED', 'WAIVED'] as const satisfies readonly CheckState[]

const tones: Record<CheckState, Standing> = { VIOLATED: 'bad', UNKNOWN: 'plain', SATISFIED: 'good', WAIVED: 'warned' }

export const StateWord = ({ of }: { of: CheckState }) => <StandingWord of={tones[of]}>{wordsOf(of)}</StandingWord>
