// What a sentence calls a record of each kind; the names of kinds are those of the API's types.

const words = {
  Activity: 'activity',
  ApiKey: 'API key',
  Application: 'application',
  Asset: 'asset',
  AssociatedProject: 'associated project',
  Attachment: 'attachment',
  Branch: 'branch',
  Check: 'check',
  Company: 'company',
  ControlSyncStatus: 'scan',
  DefectTrackerConfiguration: 'defect tracker configuration',
  Deploy: 'deploy',
  DeployFile: 'file of deploy',
  Evidence: 'evidence',
  Export: 'export',
  Import: 'import',
  Integration: 'integration',
  Issue: 'issue',
  IssueDecision: 'decision',
  Job: 'job',
  NotificationChannel: 'notification channel',
  Place: 'place',
  Project: 'project',
  ProjectRequirement: 'requirement of a project',
  ProjectType: 'project type',
  Requirement: 'requirement',
  SSLCertificateCredit: 'certificate credit',
  SavedView: 'saved view',
  Seal: 'seal',
  Secret: 'secret',
  ThreatModelArtifact: 'threat model',
  Ticket: 'ticket',
  TicketAttachment: 'attachment of a ticket',
  TicketDomain: 'ticket domain',
  User: 'user',
  Webhook: 'webhook',
  WebhookDelivery: 'webhook delivery',
  Witness: 'witness',
} as const satisfies Record<string, string>

export type Kind = keyof typeof words

/** Names one record within a sentence, or at its beginning: `The API key 7`. */
export const theRecord = (kind: Kind, id: string | number): string => `The ${words[kind]} ${id}`
