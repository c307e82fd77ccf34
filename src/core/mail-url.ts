// Validates the address of a mail server.

/** smtp:// or smtps:// with a host; user, password and port are optional. */
export const isMailUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}
