// What threat models are written in, by the names that people know; what somebody named is called so.

const names: Record<string, string> = {
  THREAT_DRAGON: 'OWASP Threat Dragon',
  OPEN_THREAT_MODEL: 'Open Threat Model',
}

export const formatName = (diagramType: string): string => names[diagramType] ?? diagramType
