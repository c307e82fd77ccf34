// The formats of threat models under the names that people know; a custom format keeps the name it was given.

const names: Record<string, string> = {
  THREAT_DRAGON: 'OWASP Threat Dragon',
  OPEN_THREAT_MODEL: 'Open Threat Model',
}

export const formatName = (diagramType: string): string => names[diagramType] ?? diagramType
