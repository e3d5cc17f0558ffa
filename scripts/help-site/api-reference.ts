import { fieldsOf, noteOf, type Schema, typeOf } from './api-schema.ts'
import { anchorOf, type HelpPage } from './help-markdown.ts'
import { escapeHtml } from './help-template.ts'

/** The part of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, Schema> }
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

interface Call {
  method: string
  path: string
  operation: Operation
}

/** Returns one page per part of the API, with every call: access, parameters, body, responses, errors. */
export function referencePages(api: ApiDescription): (HelpPage & { description: string })[] {
  const calls = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  )
  const find = (reference: string): Schema => api.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
  return api.tags.map(({ name, description }) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(name))
    const list = own.map(
      ({ method, path, operation }) =>
        `<tr><td><a href="#${operation.operationId}"><code>${method} ${escapeHtml(path)}</code></a></td><td>${sentence(operation.summary)}</td></tr>`,
    )
    return {
      name: `api-${anchorOf(name)}`,
      title: `API: ${name}`,
      description,
      html: `<h1>API: ${escapeHtml(name)}</h1>
<p>${escapeHtml(description)}</p>
${table(['call', 'what it does'], list)}
${own.map((call) => callHtml(call, find)).join('\n')}`,
      sections: [
        { anchor: '', title: `API: ${name}`, text: description },
        ...own.map(({ method, path, operation }) => ({
          anchor: operation.operationId,
          title: `${method} ${path}`,
          text: `${operation.summary}. ${operation.operationId} ${(operation.parameters ?? []).map((parameter) => parameter.name).join(' ')}`,
        })),
      ],
    }
  })
}

function callHtml({ method, path, operation }: Call, find: (reference: string) => Schema): string {
  const { parameters = [], requestBody, responses } = operation
  const whole = (part: Schema) => (part.$ref === undefined ? part : find(part.$ref))
  const fields = (schema: Schema, words: string) => {
    const rows = fieldsOf(schema, find).map(({ path: at, type, note }) =>
      cells([`<code>${escapeHtml(at)}</code>`, escapeHtml(type), escapeHtml(note)]),
    )
    const kind = escapeHtml(typeOf(schema, whole))
    return rows.length === 0
      ? `<p>${words}: ${kind}.</p>`
      : `<details><summary>${words}: ${kind}, ${rows.length} ${rows.length === 1 ? 'field' : 'fields'}</summary>${table(['field', 'type', 'note'], rows)}</details>`
  }
  const parts = [
    `<h2 id="${operation.operationId}"><code><b>${method}</b> ${escapeHtml(path)}</code></h2>`,
    `<p>${sentence(operation.summary)}.</p>`,
    `<p class="who">${escapeHtml(operation.description)}</p>`,
  ]
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, in: where, required, description = '', schema }) =>
      cells([
        `<code>${escapeHtml(name)}</code>`,
        where,
        escapeHtml(typeOf(schema, whole)),
        escapeHtml([noteOf(schema, required ?? false), description].filter(Boolean).join('. ')),
      ]),
    )
    parts.push('<h3>Parameters</h3>', table(['name', 'in', 'type', 'note'], rows))
  }
  if (requestBody) {
    const optional = requestBody.required === false ? ' (may be left out)' : ''
    parts.push('<h3>Body</h3>')
    for (const [type, { schema }] of Object.entries(requestBody.content))
      parts.push(fields(schema, `<code>${type}</code>${optional}`))
  }
  parts.push('<h3>Answers</h3>')
  const errors: string[] = []
  for (const [status, { description, content = {} }] of Object.entries(responses)) {
    if (Number(status) >= 400) {
      errors.push(cells([`<code>${status}</code>`, escapeHtml(description)]))
      continue
    }
    const [type, body] = Object.entries(content)[0] ?? []
    const head = `<code>${status}</code> ${escapeHtml(description)}`
    parts.push(body === undefined ? `<p>${head}.</p>` : fields(body.schema, `${head}, <code>${type}</code>`))
  }
  if (errors.length > 0) {
    const words = `${errors.length} ${errors.length === 1 ? 'status' : 'statuses'} of errors`
    parts.push(`<details><summary>${words}</summary>${table(['status', 'title (code)'], errors)}</details>`)
  }
  return `<section class="call">\n${parts.join('\n')}\n</section>`
}

/** The contract puts names in backticks, like Markdown. */
function sentence(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${heads
    .map((head) => `<th>${head}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function cells(values: readonly string[]): string {
  return `<tr>${values.map((value) => `<td>${value}</td>`).join('')}</tr>`
}
