// The checks of the scanner, one line each.

import type { Check } from '../check.ts'
import { answeredSecrets } from './answered-secrets.ts'
import { applicationFiles } from './application-files.ts'
import { behindRedirects } from './behind-redirects.ts'
import { cachedAnswers } from './cached-answers.ts'
import { certificate } from './certificate.ts'
import { chosenPrices } from './chosen-prices.ts'
import { claimedAccess } from './claimed-access.ts'
import { clientTemplates } from './client-templates.ts'
import { commands } from './commands.ts'
import { cookieHash } from './cookie-hash.ts'
import { cookieIds } from './cookie-ids.ts'
import { cookieKeys } from './cookie-keys.ts'
import { cookieObjects } from './cookie-objects.ts'
import { cookieOwner } from './cookie-owner.ts'
import { cookieRole } from './cookie-role.ts'
import { cookieValues } from './cookie-values.ts'
import { cookies } from './cookies.ts'
import { defaultCredentials } from './default-credentials.ts'
import { deserialisation } from './deserialisation.ts'
import { deserialisationErrors } from './deserialisation-errors.ts'
import { ldap, xpathErrors } from './directory-queries.ts'
import { disclosures } from './disclosures.ts'
import { endedSessions } from './ended-sessions.ts'
import { environment } from './environment.ts'
import { excessiveData, undescribedData } from './excessive-data.ts'
import { fileWriting } from './file-writing.ts'
import { fileServer, files } from './files.ts'
import { folderListing } from './folder-listing.ts'
import { forgedChanges } from './forged-changes.ts'
import { formFields } from './form-fields.ts'
import { uncheckedToken } from './form-tokens.ts'
import { functionAccess } from './function-access.ts'
import { graphqlExposure } from './graphql-exposure.ts'
import { graphqlLimits } from './graphql-limits.ts'
import { guessing } from './guessing.ts'
import { headerValues } from './header-values.ts'
import { hiddenFiles } from './hidden-files.ts'
import { nobodysForm } from './kept-forms.ts'
import { madeForOthers } from './made-for-others.ts'
import { malformedDocuments } from './malformed-documents.ts'
import { massAssignment } from './mass-assignment.ts'
import { putMethod, traceMethod } from './methods.ts'
import { missingAuthentication } from './missing-auth.ts'
import { negativeAmounts } from './negative-amounts.ts'
import { nosql } from './nosql.ts'
import { objectReading } from './object-access.ts'
import { objectChanging } from './object-change.ts'
import { origins } from './origins.ts'
import { forgedRequests, remoteInclusion } from './outbound-requests.ts'
import { ownRole } from './own-role.ts'
import { pageContent } from './page-content.ts'
import { pageScripts } from './page-scripts.ts'
import { pathVariants } from './path-variants.ts'
import { personalData } from './personal-data.ts'
import { predictableSessions } from './predictable-sessions.ts'
import { prototypePollution } from './prototype-pollution.ts'
import { hostHeader, openRedirect, splitHeaders } from './redirects.ts'
import { regexExhaustion } from './regex-exhaustion.ts'
import { reread } from './reread.ts'
import { reflectedScript, storedScript } from './scripting.ts'
import { securityHeaders } from './security-headers.ts'
import { sessionFixation } from './session-fixation.ts'
import { shortPasswords } from './short-passwords.ts'
import { silentCode } from './silent-code.ts'
import { sqlBoolean } from './sql-boolean.ts'
import { sqlErrors } from './sql-errors.ts'
import { sqlTime } from './sql-time.ts'
import { code, templates } from './templates.ts'
import { tokenDigits } from './token-digits.ts'
import { tokenForgery } from './token-forgery.ts'
import { tokenKeys } from './token-keys.ts'
import { tokenToldKeys } from './token-told-keys.ts'
import { toldStatements } from './told-statements.ts'
import { uploadPaths } from './upload-paths.ts'
import { uploads } from './uploads.ts'
import { userEnumeration } from './user-enumeration.ts'
import { verbTampering } from './verb-tampering.ts'
import { xmlEntities, xmlValues } from './xml-entities.ts'

export const checks: readonly Check[] = [
  ...securityHeaders,
  certificate,
  ...cookies,
  cachedAnswers,
  ...disclosures,
  toldStatements,
  environment,
  answeredSecrets,
  ...pageContent,
  storedScript,
  hiddenFiles,
  fileServer,
  traceMethod,
  putMethod,
  origins,
  hostHeader,
  headerValues,
  cookieValues,
  cookieOwner,
  cookieIds,
  cookieRole,
  claimedAccess,
  pathVariants,
  cookieHash,
  cookieObjects,
  sessionFixation,
  predictableSessions,
  // before what sends a sign-in again and again: many targets limit how often an account is tried
  userEnumeration,
  xmlEntities,
  xmlValues,
  sqlErrors,
  sqlBoolean,
  commands,
  templates,
  code,
  files,
  folderListing,
  applicationFiles,
  reflectedScript,
  clientTemplates,
  openRedirect,
  splitHeaders,
  remoteInclusion,
  forgedRequests,
  nosql,
  ldap,
  xpathErrors,
  uploads,
  uploadPaths,
  fileWriting,
  silentCode,
  deserialisation,
  deserialisationErrors,
  sqlTime,
  regexExhaustion,
  excessiveData,
  undescribedData,
  tokenKeys,
  cookieKeys,
  tokenDigits,
  tokenToldKeys,
  objectReading,
  objectChanging,
  madeForOthers,
  negativeAmounts,
  chosenPrices,
  functionAccess,
  missingAuthentication,
  behindRedirects,
  personalData,
  nobodysForm,
  uncheckedToken,
  malformedDocuments,
  verbTampering,
  tokenForgery,
  ...graphqlExposure,
  ...graphqlLimits,
  defaultCredentials,
  guessing,
  shortPasswords,
  massAssignment,
  formFields,
  forgedChanges,
  ownRole,
  reread,
  pageScripts,
  endedSessions,
  // behind all others: it holds for every object of the target
  prototypePollution,
]
