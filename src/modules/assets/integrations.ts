// The one place where the module that keeps integrations says which of them an asset may name.

import { notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'

export type IntegrationLinks = {
  /** NOT_FOUND of the first that is not the company's. */
  require: (context: Context, companyId: Id, ids: readonly Id[]) => Promise<void>
  /** integration id → its ToolTypeCategory; only those that the viewer sees and that are there */
  loadTypes: (context: Context, ids: readonly string[]) => Promise<Map<string, string>>
}

/** Until the other module speaks there is no integration, and so none to name. */
let links: IntegrationLinks = {
  require: async (_, __, [first]) => {
    if (first !== undefined) throw notFound('Integration', first)
  },
  loadTypes: async () => new Map(),
}

/** Said once, when the module that keeps integrations is loaded. */
export function provideIntegrationLinks(given: IntegrationLinks): void {
  links = given
}

export const requireIntegrations: IntegrationLinks['require'] = (context, companyId, ids) =>
  links.require(context, companyId, ids)

export const loadIntegrationTypes: IntegrationLinks['loadTypes'] = (context, ids) => links.loadTypes(context, ids)
