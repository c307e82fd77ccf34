// An address that somebody entered, as text, and as a link only if a browser can safely open it.

export function OutsideLink({ to }: { to: string }) {
  if (!URL.canParse(to) || !['https:', 'http:'].includes(new URL(to).protocol))
    return <span className="code">{to}</span>
  return (
    <a href={to} className="code words" target="_blank" rel="noreferrer">
      {to}
    </a>
  )
}
