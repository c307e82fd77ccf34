// What a reader of threat models returns: the threats of a model, its diagram's parts, and what was left out with the reason.

type ThreatModelFormat = 'THREAT_DRAGON' | 'OPEN_THREAT_MODEL'

/** The six kinds of threat of STRIDE. */
export type Stride =
  | 'SPOOFING'
  | 'TAMPERING'
  | 'REPUDIATION'
  | 'INFORMATION_DISCLOSURE'
  | 'DENIAL_OF_SERVICE'
  | 'ELEVATION_OF_PRIVILEGE'

export type ModelThreat = {
  /** the same in each version of the model, at most `LONGEST_KEY` characters */
  key: string
  title: string
  description: string | null
  /** what the model calls its kind, in the model's words */
  categories: readonly string[]
  /** the kinds of STRIDE among them */
  stride: readonly Stride[]
  /** numbers that the file names, whether a catalogue has them or not */
  cweIds: readonly number[]
  capecIds: readonly number[]
  severity: string | null
  status: string | null
  /** what the model sets against it, one entry each */
  mitigations: readonly string[]
  /** where in the model it stands, one phrase each */
  places: readonly string[]
}

/** A part of the system that the model draws. */
export type ModelItem = {
  id: string
  kind: string
  name: string
  description?: string
  /** the diagram or the trust zone that it stands in */
  within?: string
  /** ids of the ends of a flow */
  source?: string
  target?: string
}

/** `threat` names it as the file does. */
export type LeftOut = { threat: string; reason: string }

export type ThreatModel = {
  format: ThreatModelFormat
  /** the version of the format that the file says; null where it says none */
  version: string | null
  /** the same in each version of the model, at most `LONGEST_KEY` characters */
  key: string
  title: string
  threats: readonly ModelThreat[]
  items: readonly ModelItem[]
  leftOut: readonly LeftOut[]
}

/** bytes of a file */
export const LARGEST_MODEL = 5 * 1024 * 1024
/** threats of one model */
export const MOST_THREATS = 1000
/** parts that a model draws, and places at which its threats stand */
export const MOST_ITEMS = 10_000
/** characters */
export const LONGEST_KEY = 200

/** The file is no threat model that can be read; the message is for whoever sent it. */
export class ThreatModelFault extends Error {
  override readonly name = 'ThreatModelFault'
}
