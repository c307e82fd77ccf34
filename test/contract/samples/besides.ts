// Samples of tickets, certificate credits, secrets and seals.

import { unique } from '../../testkit/client.ts'
import { inlineFile, type Samples } from './types.ts'

const credit = 'id status allowsWildcard'
const secret = 'secret { id name description type createdBy { id } createdAt updatedAt }'
const seal = 'seal { id assetId background publicId }'
const someone = 'createdBy { name email } assignee { name email }'

export const ticketSamples = {
  tickets: {
    ids: { companyId: 'company' },
    filters: { 'params.domainIds.0': 'ticketDomain', 'params.assigneeEmails.0': 'email' },
  },
  ticket: { ids: { companyId: 'company', id: 'ticket' } },
  ticketDomainStats: {
    select: 'count domain { id name }',
    variables: () => ({ ticketType: 'BUG' }),
    ids: { companyId: 'company' },
    filters: { 'params.domainIds.0': 'ticketDomain', 'params.assigneeEmails.0': 'email' },
  },
  ticketDomains: { select: 'id name', ids: { companyId: 'company' } },
  createTicket: {
    select: `ticket { id title ${someone} } errors`,
    variables: () => ({
      input: {
        type: 'BUG',
        title: unique('Ticket'),
        description: 'What is wrong',
        attachments: [inlineFile('a note')],
      },
    }),
    ids: { 'input.companyId': 'company' },
    optional: { 'input.domainId': 'ticketDomain', 'input.assigneeEmail': 'email' },
  },
  updateTicket: {
    select: `ticket { id title status ${someone} } errors`,
    variables: () => ({ input: { title: unique('Ticket') } }),
    ids: { 'input.id': 'ticket' },
    optional: { 'input.domainId': 'ticketDomain', 'input.assigneeEmail': 'email' },
  },
  deleteTicket: { select: 'id', ids: { 'input.id': 'ticket' }, consumes: ['input.id'] },
  createTicketDomain: {
    select: 'ticketDomain { id name }',
    variables: () => ({ input: { name: unique('Domain') } }),
    ids: { 'input.companyId': 'company' },
  },
  deleteTicketDomain: { select: 'id', ids: { 'input.id': 'ticketDomain' }, consumes: ['input.id'] },
} satisfies Samples

export const certificateSamples = {
  sslCertificateCredits: {
    select: credit,
    variables: () => ({ onlyAvailable: true }),
    ids: { companyId: 'company' },
  },
  grantSslCertificateCredits: {
    select: `sslCertificateCredits { ${credit} }`,
    variables: () => ({ input: { count: 1, allowsWildcard: false } }),
    ids: { 'input.companyId': 'company' },
    administrator: true,
  },
  useSslCertificateCredit: {
    select: `sslCertificateCredit { ${credit} domain usedAt usedBy { id } }`,
    variables: () => ({ input: { domain: 'shop.example.test' } }),
    ids: { 'input.id': 'credit' },
    consumes: ['input.id'],
  },
  cancelSslCertificateCredit: {
    select: `sslCertificateCredit { ${credit} }`,
    ids: { 'input.id': 'credit' },
    consumes: ['input.id'],
    administrator: true,
  },
} satisfies Samples

export const secretSamples = {
  secrets: {
    select: 'collection { id name description type createdBy { id } createdAt updatedAt } metadata { totalCount }',
    ids: { companyId: 'company' },
    filters: { 'ids.0': 'secret' },
  },
  secret: { select: 'id name description type createdBy { id } createdAt updatedAt', ids: { id: 'secret' } },
  createSecret: {
    select: secret,
    variables: () => ({ input: { name: unique('Secret'), type: 'BEARER_TOKEN', values: { token: 'abc' } } }),
    ids: { 'input.companyId': 'company' },
  },
  updateSecret: {
    select: secret,
    variables: () => ({ input: { values: { token: 'abcd' } } }),
    ids: { 'input.id': 'secret' },
  },
  deleteSecret: {
    select: 'id',
    ids: { 'input.companyId': 'company', 'input.id': 'secret' },
    consumes: ['input.id'],
  },
  rotateDataKey: { select: 'keyVersion reencrypted', ids: { 'input.companyId': 'company' } },
} satisfies Samples

export const sealSamples = {
  seals: {
    select: 'collection { id assetId background publicId svgUrl } metadata { totalCount }',
    ids: { companyId: 'company' },
    optional: { assetId: 'asset' },
  },
  seal: { select: 'id assetId background publicId svgUrl verifyUrl', ids: { id: 'seal' } },
  createSeal: { select: seal, ids: { 'input.assetId': 'asset' } },
  updateSeal: {
    select: seal,
    variables: () => ({ input: { background: 'DARK' } }),
    ids: { 'input.id': 'seal' },
  },
  deleteSeal: { select: 'id', ids: { 'input.id': 'seal' }, consumes: ['input.id'] },
} satisfies Samples
