// How pieces of a file are read that begin or end within a function, and what they know of the pieces before.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const all = () => true
const read = (language: string, text: string) =>
  readPieces(language, [{ first: 1, lines: text.split('\n') }], all) ?? []

const fragments: { title: string; language: string; text: string }[] = [
  {
    title: 'the middle of a function with its end',
    language: 'JavaScript',
    text: `    const id = req.query.id
    db.query('select ' + id)
  } else {
    res.end()
  }
})

app.get('/b', (req, res) => {`,
  },
  {
    title: 'a deeper block that falls back twice',
    language: 'Python',
    text: `            name = request.args['q']
            os.system('echo ' + name)
        except OSError:
            pass
    return None

def other():
    pass`,
  },
  {
    title: 'methods without their class',
    language: 'TypeScript',
    text: `  private n = 1

  async find(req: Request) {
    return this.db.query('select ' + req.query.id)
  }

  async other() {`,
  },
  {
    title: 'methods without their class, and the end of one before',
    language: 'Java',
    text: `    return 1;
  }

  public void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Runtime.getRuntime().exec("echo " + request.getParameter("q"));
  }
}`,
  },
  {
    title: 'a piece of a file without its opening tag',
    language: 'PHP',
    text: `        $id = $_GET['id'];
        $rows = mysqli_query($this->db, "select * from t where id = $id");
    }
    public function other() {`,
  },
  {
    title: 'the end of one function and the head of the next',
    language: 'Go',
    text: `	id := r.URL.Query().Get("id")
	rows, err := db.Query("select " + id)
	if err != nil {
		return
	}
}

func other() {`,
  },
]

test.each(fragments)('A fragment is read: $title', ({ language, text }) => {
  expect(read(language, text)).toHaveLength(1)
})

test('An import in an earlier piece of the file is known in a later one', () => {
  const pieces = [
    { first: 1, lines: ["import { run as start } from 'x'", "import * as tool from 'node:child_process'"] },
    { first: 40, lines: ['  tool.exec("ls " + req.query.d)'] },
  ]

  expect(readPieces('JavaScript', pieces, all)).toMatchObject([{ line: 40 }])
})

test('A function of an earlier piece of the file is no library, whatever its name', () => {
  const later = { first: 40, lines: ['app.use(cors())'] }
  const own = { first: 1, lines: ['function cors() {', '  return (req, res, next) => next()', '}'] }

  expect(readPieces('JavaScript', [later], all)).toMatchObject([{ line: 40 }])
  expect(readPieces('JavaScript', [own, later], all)).toEqual([])
})

test('Functions that stand alone are put into no class, so that their own names count', () => {
  const own = `async function md5(text) {
  return text.length
}
async function hash(user) {
  const inner = await md5(user)
  return inner
}`

  expect(read('JavaScript', own)).toEqual([])
})
