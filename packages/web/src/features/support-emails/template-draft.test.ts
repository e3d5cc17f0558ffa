import { supportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { describe, expect, it } from 'vitest'
import {
  emptyTemplate,
  type TemplateDraft,
  templateDraft,
  templateInput,
  templateKeyProblems,
  templateProblems,
  templateSlips,
} from './template-draft.ts'

const draft: TemplateDraft = {
  componentName: ' Pump B ',
  subject: 'Pressure on {systemName} ',
  body: 'Dear {contactName},\n\nplease look.\n',
  troubleshooting: ' ',
  closesEvent: true,
  underReview: false,
}

describe('the form of a template', () => {
  it('makes a request that the contract takes as it is: texts without blanks around them, no troubleshooting for none', () => {
    const input = templateInput(draft)
    expect(input).toEqual({
      componentName: 'Pump B',
      subject: 'Pressure on {systemName}',
      body: 'Dear {contactName},\n\nplease look.',
      troubleshooting: null,
      closesEvent: true,
      underReview: false,
    })
    expect(supportEmailTemplateInput.parse(input)).toEqual(input)
    expect(templateDraft(input)).toEqual({ ...input, troubleshooting: '' })
  })

  it('needs component, subject and body', () => {
    expect(templateProblems(draft)).toEqual({})
    expect(Object.keys(templateProblems({ ...emptyTemplate, subject: '  ' }))).toEqual([
      'componentName',
      'subject',
      'body',
    ])
  })

  it('a new one sends nothing before it was reviewed', () => {
    expect(emptyTemplate.underReview).toBe(true)
  })
})

describe('unknown placeholders', () => {
  it('are reported at their field while typing, with the one that was meant', () => {
    expect(templateSlips({ ...draft, subject: 'On {system name}' })).toEqual({
      subject: 'Unknown placeholder: {system name}. Did you mean {systemName}?',
    })
    expect(templateSlips({ ...draft, body: '{serial} of {model}' })).toEqual({
      body: 'Unknown placeholders: {serial}, {model}. Choose from the list below.',
    })
    expect(templateSlips(draft)).toEqual({})
  })

  it('come before the advice to enter something', () => {
    expect(templateProblems({ ...emptyTemplate, subject: '{x}' }).subject).toMatch(/^Unknown placeholder: \{x\}\./)
  })
})

it('the key of a template is an instrument type and a template id', () => {
  expect(templateKeyProblems('AKTAPure', 'P9B-1042')).toEqual({})
  expect(Object.keys(templateKeyProblems('', 'P9B'))).toEqual(['instrumentType', 'templateId'])
})
