// Changes the rules of a gate, of a company or of one asset, without overwriting what somebody else has saved meanwhile.

import { useChange } from '../../api/ask.ts'
import { asFailure, Failure } from '../../api/failure.ts'
import { say } from '../../frame/toasts.tsx'
import { DeleteGate, type GatePolicy, type GateRule, SetGate } from './gate-documents.ts'
import { inputOf, type RuleInput } from './rule-dialog.tsx'

/** Whose gate it is: the asset's own if one is named, otherwise the company's. */
export type Owner = { companyId: string; assetId?: string }

/** Whether the policy is the owner's own, rather than one that holds without. */
export const isOwnPolicy = ({ scope }: GatePolicy, { assetId }: Owner): boolean =>
  scope === (assetId === undefined ? 'COMPANY' : 'ASSET')

export function useGate(policy: GatePolicy, of: Owner, again: () => Promise<void>) {
  const change = useChange()
  const replaces = isOwnPolicy(policy, of) ? policy.updatedAt : null
  /** On a conflict, loads the rules that somebody else has saved instead of overwriting them. */
  const unlessChanged = async <T>(changing: Promise<T>): Promise<T> => {
    try {
      return await changing
    } catch (error) {
      if (asFailure(error).code !== 'CONFLICT') throw error
      await again()
      throw new Failure('The gate was changed by someone else. Their rules are now shown; try again.', 'CONFLICT')
    }
  }
  const set = async (rules: readonly RuleInput[]) => {
    await unlessChanged(change(SetGate, { input: { ...of, rules: [...rules], replaces } }, ['GatePolicy']))
    say('Gate saved. It applies to verdicts from now on.')
    await again()
  }
  /** The current index of a rule, which others may have moved since its dialog was opened. */
  const placeOf = (rule: GateRule): number => {
    const place = policy.rules.findIndex((other) => isSame(other, rule))
    if (place < 0) throw new Failure('This rule no longer exists: someone else changed the gate.', 'CONFLICT')
    return place
  }
  return {
    /** Puts a rule in the place of the one before, or adds it. */
    async save(before: GateRule | undefined, rule: RuleInput): Promise<void> {
      const rules = policy.rules.map(inputOf)
      await set(before === undefined ? [...rules, rule] : rules.with(placeOf(before), rule))
    },
    async remove(rule: GateRule): Promise<void> {
      const place = placeOf(rule)
      await set(policy.rules.filter((_, other) => other !== place).map(inputOf))
    },
    /** Deletes the owner's rules in favour of those that hold without. */
    async leave(): Promise<void> {
      const { deleteGatePolicy: left } = await unlessChanged(
        change(DeleteGate, { input: { ...of, replaces } }, ['GatePolicy']),
      )
      say(left?.gatePolicy.scope === 'COMPANY' ? 'The company’s rules apply again.' : 'The built-in rules apply again.')
      await again()
    },
  }
}

const isSame = (one: GateRule, other: GateRule): boolean =>
  JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(other))
