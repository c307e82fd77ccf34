// The error messages of databases and their drivers for a broken statement.

const messages: readonly (readonly [engine: string, pattern: RegExp])[] = [
  [
    'MySQL',
    /You have an error in your SQL syntax|check the manual that (corresponds to|fits) your (MySQL|MariaDB)|Warning.{1,100}?\bmysqli?_|MySqlClient\.|MySqlException|com\.mysql\.jdbc|SQLSTATE\[42000\]|ER_PARSE_ERROR|\(1064, ["']/i,
  ],
  [
    'PostgreSQL',
    /PostgreSQL.{1,200}?ERROR|Warning.{1,100}?\bpg_|valid PostgreSQL result|Npgsql\.|PG::SyntaxError|org\.postgresql\.util\.PSQLException|ERROR:\s{1,4}(syntax error at or near|unterminated quoted string)|psycopg2?\.errors|syntax error at or near ["']|unterminated quoted string at or near|invalid input syntax for (type )?\w{1,20}: |SQLSTATE\[(42601|22P02)\]/i,
  ],
  [
    'SQL Server',
    /Driver.{1,80}? SQL[-_ ]{1,3}Server|OLE DB.{1,80}? SQL Server|\bSQL Server[^<"]{1,80}Driver|Unclosed quotation mark after the character string|System\.Data\.SqlClient\.SqlException|Incorrect syntax near ['"]|com\.microsoft\.sqlserver\.jdbc/i,
  ],
  [
    'Oracle',
    /\bORA-(00933|00936|01756|01789|00921|00907|00911|00920|01722|29257|00904|00942)\b|Oracle error|quoted string not properly terminated|oracle\.jdbc/i,
  ],
  [
    'SQLite',
    /SQLite\/JDBCDriver|SQLite\.Exception|System\.Data\.SQLite\.SQLiteException|SQLITE_ERROR|SQLite3::(SQLException|query)|sqlite3\.(OperationalError|ProgrammingError|Warning)|SequelizeDatabaseError|near "[^"]{0,100}": syntax error|unrecognized token: ["'\\&]|\[SQLITE_ERROR\]|no such column: |org\.sqlite\.JDBC/i,
  ],
  ['DB2', /CLI Driver.{1,80}?DB2|DB2 SQL error|\bdb2_\w{1,30}\(|SQLCODE[=:\d, -]{1,20}SQLSTATE/i],
  ['H2', /org\.h2\.jdbc|\bJdbcSQLSyntaxErrorException|Syntax error in SQL statement/i],
  ['HSQLDB', /org\.hsqldb\.jdbc|Unexpected end of command in statement|unexpected token: .{1,60}required/i],
  ['Derby', /Syntax error: Encountered (["']|&quot;|&#0?34;)|Lexical error at line \d{1,6}, column \d{1,6}\./],
  [
    'a database',
    /org\.hibernate\.(QueryException|exception\.SQLGrammarException)|SQLGrammarException|\bActiveRecord::StatementInvalid|sqlalchemy\.exc\.(OperationalError|ProgrammingError|StatementError)|\bPDOException|Illuminate\\+Database\\+QueryException|django\.db\.utils\.(OperationalError|ProgrammingError)|SQL syntax error|java\.sql\.SQL\w{0,30}Exception|Unexpected end of SQL|ODBC .{1,40}Driver.{1,40}(syntax|error)|Microsoft Access Driver|JET Database Engine|Informix.{1,40}(error|syntax)|Dynamic SQL Error/i,
  ],
]

/** What a shell says that failed on the same quote, which is another flaw. */
const ofShells = /Syntax error: Unterminated quoted string|unexpected EOF while looking for matching/i

/** That a statement was broken, where the names of its driver's errors would say the same of every fault. */
const ofBroken =
  /near "[^"]{0,100}": syntax error|unrecognized token: ["'\\&]|incomplete input|syntax error at or near|unterminated quoted string at or near|You have an error in your SQL syntax|Unclosed quotation mark|quoted string not properly terminated/i

const LONGEST = 400_000
/** How many characters after a driver's name may contain its message. */
const WITHIN = 300

/** The first message of a database in a text, or what it says of a broken statement, and whose it is. */
export function sqlErrorIn(text: string): { engine: string; text: string } | null {
  const head = text.slice(0, LONGEST)
  for (const [engine, pattern] of messages) {
    const found = pattern.exec(head)
    if (found && !ofShells.test(head.slice(Math.max(0, found.index - 60), found.index + 200)))
      return { engine, text: ofBroken.exec(head.slice(found.index, found.index + WITHIN))?.[0] ?? found[0] }
  }
  return null
}
