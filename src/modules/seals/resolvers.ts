// Seals as the API shows them.

import { parseId, parseOptionalId } from '../../core/ids.ts'
import type {
  MutationCreateSealArgs,
  MutationDeleteSealArgs,
  MutationUpdateSealArgs,
  QuerySealArgs,
  QuerySealsArgs,
} from '../api.generated.ts'
import { loadAssets } from '../assets/service.ts'
import { askedPage, type Context, load } from '../context.ts'
import type { Resolvers } from '../types.ts'
import { addressOf } from './routes.ts'
import * as service from './service.ts'

const shown =
  <T>(read: (shown: service.Shown) => T) =>
  async (seal: service.Seal, _: unknown, context: Context): Promise<T | null> => {
    const found = await load(context, service.loadShown, seal.id)
    return found && read(found)
  }

export const resolvers = {
  Query: {
    seals: (_: unknown, { companyId, pagination, assetId }: QuerySealsArgs, context: Context) =>
      service.listSeals(
        context,
        parseId(companyId, 'companyId'),
        askedPage(context, pagination),
        parseOptionalId(assetId, 'assetId'),
      ),
    seal: (_: unknown, { id }: QuerySealArgs, context: Context) => service.getSeal(context, parseId(id, 'id')),
  },
  Mutation: {
    createSeal: async (_: unknown, { input }: MutationCreateSealArgs, context: Context) => ({
      seal: await service.createSeal(context, parseId(input.assetId, 'input.assetId'), {
        background: input.background ?? 'LIGHT',
        domain: input.domain ?? null,
        expiresAt: input.expiresAt ?? null,
      }),
    }),
    updateSeal: async (_: unknown, { input }: MutationUpdateSealArgs, context: Context) => ({
      seal: await service.updateSeal(context, parseId(input.id, 'input.id'), input),
    }),
    deleteSeal: async (_: unknown, { input }: MutationDeleteSealArgs, context: Context) => ({
      id: await service.deleteSeal(context, parseId(input.id, 'input.id')),
    }),
  },
  Seal: {
    asset: (seal: service.Seal, _: unknown, context: Context) => load(context, loadAssets, seal.assetId),
    svgUrl: (seal: service.Seal, _: unknown, { config }: Context) => `${addressOf(config, seal.publicId)}.svg`,
    verifyUrl: (seal: service.Seal, _: unknown, { config }: Context) => addressOf(config, seal.publicId),
    state: shown(({ posture }) => posture.state),
    grade: shown(({ posture }) => posture.grade),
    posture: shown(({ posture }) => posture.sentence),
    statement: shown(({ statement }) => statement),
    signature: shown(({ signature }) => signature),
  },
} satisfies Resolvers
