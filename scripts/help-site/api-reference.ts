import { anchorOf, escapeHtml, type HelpPage } from './help-markdown.ts'

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

/** The part of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  additionalProperties?: boolean | Schema
  default?: unknown
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

/** A field of a body or a response with its path, such as `values[].alarm.id`. */
interface Field {
  path: string
  type: string
  note: string
}

/** Deeper fields repeat the documentation of their own call. */
const DEEPEST = 4

/** Returns every field of a schema with its content, in order. */
export function fieldsOf(schema: Schema, find: (reference: string) => Schema): Field[] {
  const fields: Field[] = []
  walk(schema, '', 0)
  return fields

  function walk(part: Schema, path: string, depth: number): void {
    const inner = whole(part)
    if (inner.type === 'array' && !inner.prefixItems) walk(inner.items ?? {}, `${path}[]`, depth)
    for (const choice of inner.anyOf ?? inner.oneOf ?? []) if (whole(choice).type !== 'null') walk(choice, path, depth)
    for (const member of inner.allOf ?? []) walk(member, path, depth)
    const values = inner.additionalProperties
    if (typeof values === 'object' && Object.keys(values).length > 0 && depth < DEEPEST)
      walk(values, `${path}{…}`, depth)
    for (const [name, field] of Object.entries(inner.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`
      if (!fields.some((known) => known.path === at)) {
        fields.push({
          path: at,
          type: typeOf(field, whole),
          note: noteOf(field, inner.required?.includes(name) ?? false),
        })
      }
      if (depth < DEEPEST) walk(field, at, depth + 1)
    }
  }

  function whole(part: Schema): Schema {
    return part.$ref === undefined ? part : find(part.$ref)
  }
}

/** Returns the type of a value in words: `text`, `number or null`, `list of text`. */
export function typeOf(schema: Schema, whole: (part: Schema) => Schema): string {
  const part = whole(schema)
  if (part.const !== undefined) return JSON.stringify(part.const)
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = part.anyOf ?? part.oneOf
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, whole)))].join(' or ')
  if (part.prefixItems) return `[${part.prefixItems.map((item) => typeOf(item, whole)).join(', ')}]`
  if (part.type === 'array') return `list of ${typeOf(part.items ?? {}, whole)}`
  if (Array.isArray(part.type)) return part.type.map((type) => words[type] ?? type).join(' or ')
  if (part.type === 'string' && part.format !== undefined) return formats[part.format] ?? 'text'
  return part.type === undefined ? 'anything' : (words[part.type] ?? part.type)
}

const words: Record<string, string> = {
  string: 'text',
  object: 'object',
  boolean: 'true or false',
  integer: 'whole number',
}
const formats: Record<string, string> = { 'date-time': 'instant', date: 'day', uri: 'address', email: 'e-mail address' }

/** Returns further notes on a value: optional, default, limits. */
export function noteOf(schema: Schema, isRequired: boolean): string {
  return [
    isRequired ? 'required' : undefined,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
    schema.minimum === undefined || schema.minimum < -1e9 ? undefined : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum > 1e9 ? undefined : `up to ${schema.maximum}`,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
  ]
    .filter(Boolean)
    .join(', ')
}
