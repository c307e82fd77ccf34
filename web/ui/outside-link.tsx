// An address that somebody wrote down, as text and, where a browser can safely go there, as the way to it.

export function OutsideLink({ to }: { to: string }) {
  if (!URL.canParse(to) || !['https:', 'http:'].includes(new URL(to).protocol))
    return <span className="code">{to}</span>
  return (
    <a href={to} className="code words" target="_blank" rel="noreferrer">
      {to}
    </a>
  )
}
