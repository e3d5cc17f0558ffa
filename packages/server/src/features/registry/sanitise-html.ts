import sanitizeHtml from 'sanitize-html'

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h3', 'h4', 'blockquote'],
    ...['ol', 'ul', 'li', 'dl', 'dt', 'dd'],
    ...['b', 'strong', 'i', 'em', 'u', 'sub', 'sup', 'code', 'pre', 'kbd', 'a'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https'],
  allowedSchemesAppliedToAttributes: ['href'],
  // A link without a scheme would lead into the console itself.
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 32,
  transformTags: {
    a: (tagName, { href = '' }) => {
      const attribs: sanitizeHtml.Attributes = /^https:\/\//i.test(href) ? { href, rel: 'noopener' } : {}
      return { tagName, attribs }
    },
  },
}

/** Sanitises the HTML of an event template: structured text and https links, nothing that runs or loads. */
export function sanitiseHtml(html: string): string {
  return sanitizeHtml(html, options).trim()
}
