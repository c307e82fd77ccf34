// The queries and mutations of the tickets pages.

import { graphql, type ResultOf } from '../../api/graphql.ts'

export const Tickets = graphql(`
  query Tickets($companyId: ID!, $params: TicketSearch, $after: String) {
    tickets(companyId: $companyId, params: $params, limit: 50, after: $after) {
      collection {
        id
        title
        type
        status
        priority
        impact
        createdAt
        domain { id name }
        assignee { name }
      }
      metadata { endCursor totalCount totalCountIsExact }
    }
  }
`)

export type TicketRow = ResultOf<typeof Tickets>['tickets']['collection'][number]

export const DomainStats = graphql(`
  query DomainStats($companyId: ID!, $params: TicketSearch) {
    BUG: ticketDomainStats(companyId: $companyId, ticketType: BUG, params: $params) { count domain { id name } }
    FEATURE_REQUEST: ticketDomainStats(companyId: $companyId, ticketType: FEATURE_REQUEST, params: $params) {
      count
      domain { id name }
    }
    PROJECT_REQUEST: ticketDomainStats(companyId: $companyId, ticketType: PROJECT_REQUEST, params: $params) {
      count
      domain { id name }
    }
    SUPPORT_REQUEST: ticketDomainStats(companyId: $companyId, ticketType: SUPPORT_REQUEST, params: $params) {
      count
      domain { id name }
    }
  }
`)

export type DomainStatsAnswer = ResultOf<typeof DomainStats>

export const OneTicket = graphql(`
  query OneTicket($companyId: ID!, $id: ID!) {
    ticket(companyId: $companyId, id: $id) {
      id
      title
      description
      type
      status
      priority
      impact
      createdAt
      updatedAt
      domain { id name }
      assignee { name email }
      createdBy { name }
      attachments { id filename size downloadUrl }
    }
  }
`)

export type TicketDetail = ResultOf<typeof OneTicket>['ticket']

export const CreateTicket = graphql(`
  mutation CreateTicketHere($input: CreateTicketInput!) {
    createTicket(input: $input) { ticket { id title } }
  }
`)

export const DeleteTicket = graphql(`
  mutation DeleteTicket($input: DeleteTicketInput!) {
    deleteTicket(input: $input) { clientMutationId }
  }
`)

export const UpdateTicket = graphql(`
  mutation UpdateTicketHere($input: UpdateTicketInput!) {
    updateTicket(input: $input) { ticket { id title description type status priority impact domain { id name } assignee { name email } } }
  }
`)
