// What an attacker writes where a page will show it: markup, executable addresses, template expressions, and misleading characters.

const rlo = '\u202e'

/** Each is one attack. */
const tricks: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '"><svg/onload=alert(3)>',
  "'><img src=x onerror='alert(4)'>",
  "';alert(5)//",
  '</title></textarea></style><script>alert(6)</script>',
  "<iframe srcdoc='<script>alert(7)</script>'></iframe>",
  '<svg><animate onbegin=alert(8) attributeName=x dur=1s>',
  '<svg><script xlink:href="data:text/javascript,alert(9)"/></svg>',
  '<math><mtext><style><img src=x onerror=alert(10)></style>',
  '<details open ontoggle=alert(11)>x</details>',
  '<input autofocus onfocus=alert(12)>',
  '<body onload=alert(13)>',
  '<object data="javascript:alert(14)"></object>',
  '<embed src="data:text/html,<script>alert(15)</script>">',
  '<base href="https://evil.example.test/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(16)">',
  '<link rel=stylesheet href="https://evil.example.test/x.css">',
  '<form action="javascript:alert(17)"><button>ok</button></form>',
  '<a href="javascript:alert(18)">press</a>',
  '<style>*{background:url(https://evil.example.test/x)}</style>',
  '<div style="position:fixed;inset:0">over</div>',
  '<noscript><p title="</noscript><img src=x onerror=alert(19)>">',
  '<scr<script>ipt>alert(20)</scr</script>ipt>',
  '<marquee onstart=alert(21)>x</marquee>',
  '&lt;script&gt;alert(22)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(23)&#62;',
  '[press](javascript:alert(24))',
  '![x](https://evil.example.test/x.png" onerror="alert(25))',
  '<!--><img src=x onerror=alert(26)>-->',
  '{{constructor.constructor("alert(27)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is the attack
  '${alert(28)} #{alert(29)} <%= alert(30) %>',
  '__proto__ constructor toString hasOwnProperty',
  `invoice${rlo}gpj.exe`,
  '\u200f\u2067mixed\u2069\u200e \u061c',
  'zero\u200bwidth\ufeff and \u0007bell \u001b[31mred\u001b[0m',
  'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301',
]

/** A browser only follows such an address if the text starts with it, so each of these starts a bundle. */
const addresses: readonly string[] = [
  'javascript:alert(31)',
  'jav\tascript:alert(32)',
  'data:text/html,<script>alert(33)</script>',
  'vbscript:msgbox(34)',
  '//evil.example.test/x',
]

/** The attacks, split into one bundle for each walk over the pages, so that each bundle fits into every name. */
export const bundles: readonly (readonly string[])[] = addresses.map((address, place) => [
  address,
  ...tricks.filter((_, index) => index % addresses.length === place),
])
