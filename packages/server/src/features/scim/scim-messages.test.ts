import { describe, expect, it } from 'vitest'
import { readGroupPatch, readList, readUser, readUserPatch } from './scim-messages.ts'

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
const patch = (...Operations: object[]) => ({ schemas: PATCH, Operations })

describe('a user', () => {
  it.each([
    [
      'Entra ID',
      {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:User',
          'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
        ],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'Ines.Berg@Benchwatch.example',
        active: 'True',
        emails: [{ primary: true, type: 'work', value: 'Ines.Berg@benchwatch.example' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Ines Berg', familyName: 'Berg', givenName: 'Ines' },
        roles: [],
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Service' },
      },
      { externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef', active: true },
    ],
    [
      'Okta',
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'ines.berg@benchwatch.example',
        name: { givenName: 'Ines', familyName: 'Berg' },
        emails: [{ primary: true, value: 'ines.berg@benchwatch.example', type: 'work' }],
        displayName: 'Ines Berg',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: false,
      },
      { externalId: '00ujl29u0le5T6Aj10h7', active: false },
    ],
  ])('is read as %s sends it', (_provider, body, rest) => {
    expect(readUser(body)).toEqual({ userName: 'ines.berg@benchwatch.example', name: 'Ines Berg', ...rest })
  })

  it.each([
    ['Entra ID with a path', patch({ op: 'Replace', path: 'active', value: 'False' }), { active: false }],
    ['Okta without one', patch({ op: 'replace', value: { active: false } }), { active: false }],
    [
      'Entra ID in several operations',
      patch(
        { op: 'Add', path: 'displayName', value: 'Ines Lind' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@benchwatch.example' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'QA' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId', value: 'e-7' },
      ),
      { name: 'Ines Lind', externalId: 'e-7' },
    ],
    [
      'Entra ID with dots in names',
      patch({ op: 'Add', value: { 'name.givenName': 'Ines', 'name.familyName': 'Lind', active: true } }),
      { name: 'Ines Lind', active: true },
    ],
    ['a removed attribute', patch({ op: 'Remove', path: 'externalId' }), { externalId: null }],
    ['a part of the name alone', patch({ op: 'Replace', path: 'name.familyName', value: 'Lind' }), {}],
  ])('is changed by %s', (_what, body, change) => {
    expect(readUserPatch(body)).toEqual(change)
  })

  it.each([
    ['no operations', { schemas: PATCH, Operations: [] }, 'invalidSyntax'],
    ['an unknown operation', patch({ op: 'move', path: 'active' }), 'invalidSyntax'],
    ['a state that is no truth value', patch({ op: 'replace', path: 'active', value: 'maybe' }), 'invalidValue'],
    ['a removed state', patch({ op: 'remove', path: 'active' }), 'invalidValue'],
    ['a name that is no address', patch({ op: 'replace', path: 'userName', value: 'ines' }), 'invalidValue'],
    ['two lines', patch({ op: 'replace', path: 'externalId', value: 'a\nb' }), 'invalidValue'],
    ['a list instead of an object', patch({ op: 'replace', value: ['active'] }), 'invalidValue'],
  ])('is not changed by %s', (_what, body, scimType) => {
    expect(() => readUserPatch(body)).toThrow(expect.objectContaining({ extras: { members: { scimType } } }))
  })
})

describe('a group', () => {
  it.each([
    [
      'Entra ID adding and removing members',
      patch(
        { op: 'Add', path: 'members', value: [{ $ref: null, value: '7' }, { value: '8' }] },
        { op: 'Remove', path: 'members', value: [{ $ref: null, value: '9' }] },
      ),
      {
        members: [
          { kind: 'add', userIds: ['7', '8'] },
          { kind: 'remove', userIds: ['9'] },
        ],
      },
    ],
    [
      'Okta removing one by a filter',
      patch({ op: 'remove', path: 'members[value eq "7"]' }),
      { members: [{ kind: 'remove', userIds: ['7'] }] },
    ],
    [
      'Okta with all members, and its name',
      patch(
        { op: 'replace', path: 'members', value: [{ value: '7', display: 'ines' }] },
        { op: 'replace', value: { id: '3', displayName: 'Field' } },
      ),
      { name: 'Field', members: [{ kind: 'replace', userIds: ['7'] }] },
    ],
    [
      'a provider without a path',
      patch({ op: 'add', value: { members: [{ value: '7' }] } }),
      { members: [{ kind: 'add', userIds: ['7'] }] },
    ],
    [
      'a provider that removes all members',
      patch({ op: 'remove', path: 'members' }),
      { members: [{ kind: 'replace', userIds: [] }] },
    ],
  ])('is changed by %s', (_what, body, change) => {
    expect(readGroupPatch(body)).toEqual(change)
  })
})

describe('a list', () => {
  it('takes one filter, which is exact, and pages from 1', () => {
    const query = { filter: 'userName Eq "o\\"neil@x.example"', startIndex: '11', count: '500' }
    expect(readList(query, ['userName'])).toEqual({
      filters: [{ attribute: 'userName', value: 'o"neil@x.example' }],
      offset: 10,
      limit: 200,
      withMembers: true,
    })
    expect(readList({ count: '0', startIndex: '-3', excludedAttributes: 'members' }, [])).toEqual({
      filters: [],
      offset: 0,
      limit: 0,
      withMembers: false,
    })
  })

  it.each([
    'userName sw "a"',
    'userName eq true',
    'userName eq "a" and',
    'userName eq "a" and active eq "1"',
    'userName eq "a" and ',
    'userName eq a',
    'password eq "a"',
    'userName eq "a" or active eq true',
    'eq "a"',
  ])('does not take the filter %s', (filter) => {
    expect(() => readList({ filter }, ['userName', 'active'])).toThrow('Filters must have the form')
  })
})
