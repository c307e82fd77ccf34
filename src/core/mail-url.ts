// Whether an address of a mail server can be used.

/** smtp:// or smtps:// with a host; user, password and port as they are needed. */
export const isMailUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}
