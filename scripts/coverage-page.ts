import { type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser'

/** A requirement of the specification and the test that covers it. */
interface CoverageRow {
  /** Number of the page, the section and the row. It stays the same when rows are added or removed. */
  id: string
  sentence: string
  file: string
  title: string
}

/** A line of a page in docs/coverage: a demand, a Markdown heading or a note. */
type CoverageLine = CoverageRow | { heading: string } | { note: string }

/** Reads a page, one JSON object a line. `malformed` holds the numbers of all other lines. */
export function readCoveragePage(page: string): { lines: Map<number, CoverageLine>; malformed: number[] } {
  const lines = new Map<number, CoverageLine>()
  const malformed: number[] = []
  for (const [index, text] of page.replace(/\n$/, '').split('\n').entries()) {
    const line = readLine(text)
    if (line) lines.set(index + 1, line)
    else malformed.push(index + 1)
  }
  return { lines, malformed }
}

function readLine(text: string): CoverageLine | undefined {
  const fields = readObject(text)
  if (!fields) return undefined
  const { id, sentence, test, heading, note } = fields
  const names = Object.keys(fields).join()
  if (names === 'heading' && heading && /^#{1,3} \S/.test(heading)) return { heading }
  if (names === 'note' && note) return { note }
  const [, file, title] = /^(\S+) > (.+)$/.exec(test ?? '') ?? []
  const isRow = names === 'id,sentence,test' && id && /^\d+\.\d+\.\d+$/.test(id)
  return isRow && sentence && file && title ? { id, sentence, file, title } : undefined
}

function readObject(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null
    if (isObject && Object.values(value).every((field) => typeof field === 'string'))
      return value as Record<string, string>
  } catch {
    // The caller reports the line.
  }
  return undefined
}

/** Writes a page as Markdown, with a table for the rows below each heading. */
export function writeCoverageMarkdown(lines: Iterable<CoverageLine>): string {
  let markdown = ''
  let isInTable = false
  for (const line of lines) {
    if ('id' in line) {
      if (!isInTable) markdown += '| id | sentence | test file | test title |\n| --- | --- | --- | --- |\n'
      const cells = [line.id, line.sentence, `\`${line.file}\``, `\`${line.title}\``]
      markdown += `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
    } else {
      markdown += `${isInTable ? '\n' : ''}${'heading' in line ? line.heading : line.note}\n\n`
    }
    isInTable = 'id' in line
  }
  return markdown
}

/** Returns the titles of the tests in a file as written: `%s` and `${…}` stay. */
export function readTestTitles(file: string, source: string): Set<string> {
  const titles = new Set<string>()
  const { program } = parseSync(file, source)
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }: CallExpression) => {
      if (!title || title.type === 'SpreadElement' || !/^(test|it)\b/.test(baseName(callee))) return
      if (title.type === 'Literal' && typeof title.value === 'string') titles.add(title.value)
      if (title.type === 'TemplateLiteral') titles.add(source.slice(title.start + 1, title.end - 1))
    },
  }).visit(program)
  return titles
}

/** `test` for test(…), test.each(…)(…) and test.only(…). */
function baseName(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return baseName(callee.object)
  if (callee.type === 'CallExpression') return baseName(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return baseName(callee.tag)
  return ''
}
