// The writable fields of an asset, and how a change is validated and applied.

import { readRepoUrl, readUrl } from '../../core/address.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText, readWords } from '../../core/text.ts'

export type AssetFields = {
  name: string
  description: string | null
  url: string | null
  repoUrl: string | null
  assetType: string | null
  audience: string | null
  architectureType: string | null
  criticity: string | null
  businessImpact: string
  dataClassification: string[]
  developmentModel: string | null
  developmentTeam: string | null
  environmentList: string[]
  lifeCycle: string | null
  scanType: string | null
  technologies: string[]
  assetsTagList: string[]
  teamIds: string[]
  integrationIds: Id[]
  exploitability: string
  threat: string
  /** set by a person; an open finding may imply the same */
  isSaidCompromised: boolean
}

/** Undefined leaves a value unchanged, null clears it. */
export type AssetChange = { [K in keyof AssetFields]?: AssetFields[K] | null }

/** The defaults of an asset of which only the name is known. */
export const blankAsset: AssetFields = {
  name: '',
  description: null,
  url: null,
  repoUrl: null,
  assetType: null,
  audience: null,
  architectureType: null,
  criticity: null,
  businessImpact: 'NOT_DEFINED',
  dataClassification: [],
  developmentModel: null,
  developmentTeam: null,
  environmentList: [],
  lifeCycle: null,
  scanType: null,
  technologies: [],
  assetsTagList: [],
  teamIds: [],
  integrationIds: [],
  exploitability: 'NOT_DEFINED',
  threat: 'NONE',
  isSaidCompromised: false,
}

/** Validates a caller's input: lengths, addresses, enumerations; BAD_USER_INPUT naming the argument. */
export function readChange(given: AssetChange): AssetChange {
  return {
    ...given,
    name: given.name === undefined || given.name === null ? undefined : readName(given.name, 'input.name'),
    description: readText(given.description, 'input.description'),
    url: readUrl(given.url, 'input.url'),
    repoUrl: readRepoUrl(given.repoUrl, 'input.repoUrl'),
    dataClassification: given.dataClassification && [...new Set(given.dataClassification)],
    environmentList: readWords(given.environmentList, 'input.environmentList'),
    technologies: readWords(given.technologies, 'input.tecnologyList'),
    assetsTagList: readWords(given.assetsTagList, 'input.assetsTagList'),
    teamIds: readWords(given.teamIds, 'input.teamIds'),
  }
}

/** The fields after a change that readChange has validated. */
export function changed(before: AssetFields, change: AssetChange): AssetFields {
  const after = <K extends keyof AssetFields>(field: K): AssetFields[K] => {
    const wanted = change[field]
    if (wanted === undefined) return before[field]
    return wanted ?? blankAsset[field]
  }
  return {
    name: after('name'),
    description: after('description'),
    url: after('url'),
    repoUrl: after('repoUrl'),
    assetType: after('assetType'),
    audience: after('audience'),
    architectureType: after('architectureType'),
    criticity: after('criticity'),
    businessImpact: after('businessImpact'),
    dataClassification: after('dataClassification'),
    developmentModel: after('developmentModel'),
    developmentTeam: after('developmentTeam'),
    environmentList: after('environmentList'),
    lifeCycle: after('lifeCycle'),
    scanType: after('scanType'),
    technologies: after('technologies'),
    assetsTagList: after('assetsTagList'),
    teamIds: after('teamIds'),
    integrationIds: after('integrationIds'),
    exploitability: after('exploitability'),
    threat: after('threat'),
    isSaidCompromised: after('isSaidCompromised'),
  }
}
