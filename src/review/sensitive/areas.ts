// Defines which changes a person should look at, whatever a scanner says, by the file's path and words in the changed lines.

export type Area = 'AUTHENTICATION' | 'AUTHORIZATION' | 'CRYPTOGRAPHY' | 'CI' | 'INFRASTRUCTURE'

export type AreaCues = {
  area: Area
  /** what it is, in words that follow on "changes" */
  what: string
  /** whole paths: files that are of the area whatever they say */
  files: readonly RegExp[]
  /** words of a path of source code, compared in lower case and without plural */
  words: readonly string[]
  /** what a changed line of source code says */
  lines: RegExp | null
}

export const areas: readonly AreaCues[] = [
  {
    area: 'AUTHENTICATION',
    what: 'authentication',
    files: [/(?:^|\/)(?:\.htpasswd|pam\.d\/[^/]+|sshd_config|authorized_keys)$/],
    words:
      'auth authn authenticate authentication authenticator login logout signin signup session sessions oauth oauth2 oidc openid saml sso password passwords passport mfa totp otp webauthn jwt credential keycloak cognito'.split(
        ' ',
      ),
    lines:
      /\b(?:bcrypt|argon2|scrypt|passport|password_verify|password_hash|check_password|set_password|verifyPassword|comparePassword|authenticate|login_required|LoginView|UserDetailsService|AuthenticationManager|PasswordEncoder|jwtVerify|signInWith\w*|oauth2?|OAuth2\w*|openid|saml\w*|SessionMiddleware|express-session|cookieSession|session_regenerate_id|ldap_bind|ParseWithClaims)\b|\bjwt\.(?:verify|sign|decode|encode|Parse)\b|\bsetcookie\(|\.set_cookie\(/,
  },
  {
    area: 'AUTHORIZATION',
    what: 'authorization',
    files: [
      /(?:^|\/)CODEOWNERS$/,
      /\.(?:rego|cedar|polar)$/,
      /(?:^|\/)(?:firestore|storage|database)\.rules(?:\.json)?$/,
    ],
    words:
      'authz authorization authorisation authorize authorizer permission permissions rbac acl acls abac policy policies role roles guard guards entitlement privilege accesscontrol'.split(
        ' ',
      ),
    lines:
      /@(?:PreAuthorize|PostAuthorize|Secured|RolesAllowed|PermitAll|DenyAll|UseGuards|Roles|Public|AllowAnonymous|permission_required|user_passes_test)\b|\b(?:hasRole|hasAuthority|hasPermission|has_permission|has_perm|permitAll|denyAll|isAdmin|is_admin|is_superuser|is_staff|csrf_exempt|permission_classes|AllowAny|IsAuthenticated|requireRole|checkPermission|authorize|authorizeHttpRequests|Gate::|before_action)\b|\b(?:GRANT|REVOKE)\s+\w|\bCREATE\s+POLICY\b|\bROW\s+LEVEL\s+SECURITY\b/,
  },
  {
    area: 'CRYPTOGRAPHY',
    what: 'cryptography',
    files: [/\.(?:pem|crt|cer|key|p12|pfx|jks|keystore|asc)$/],
    words:
      'crypto cryptography cipher ciphers encrypt encryption decrypt encryptor keyring kms tls ssl certificate certificates signature signing hmac'.split(
        ' ',
      ),
    lines:
      /\b(?:createCipheriv|createDecipheriv|createHmac|createSign|createVerify|generateKeyPair\w*|subtle\.(?:encrypt|decrypt|sign|verify|deriveKey|importKey)|Cipher\.getInstance|KeyGenerator|SecretKeySpec|TrustManager|HostnameVerifier|SSLContext|hashlib|hmac|Fernet|ssl_context|create_default_context|openssl_\w+|sodium_\w+|hash_hmac|rejectUnauthorized|InsecureSkipVerify|NODE_TLS_REJECT_UNAUTHORIZED|tls\.Config|x509|cipher\.NewGCM|aes\.NewCipher)\b|\bverify\s*=\s*False\b/,
  },
  {
    area: 'CI',
    what: 'the build or its permissions',
    files: [
      /(?:^|\/)\.(?:github\/(?:workflows|actions)|circleci|buildkite|gitlab\/ci|woodpecker|teamcity|semaphore|tekton)\//,
      /(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.travis\.yml|\.drone\.ya?ml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile[^/]*|appveyor\.yml|buildspec\.ya?ml|cloudbuild\.ya?ml|\.pre-commit-config\.yaml|\.npmrc|\.yarnrc\.yml|renovate\.json5?|dependabot\.yml)$/,
    ],
    words: [],
    lines: null,
  },
  {
    area: 'INFRASTRUCTURE',
    what: 'infrastructure',
    files: [
      /\.(?:tf|tfvars|bicep|nomad|hcl)$/,
      /(?:^|\/)(?:Dockerfile|Containerfile)(?:\.[^/]+)?$|\.dockerfile$/i,
      /(?:^|\/)(?:docker-compose|compose)[^/]*\.ya?ml$/,
      /(?:^|\/)(?:Chart|values|kustomization|serverless|template|cdk|skaffold|Pulumi[^/]*)\.(?:ya?ml|json)$/,
      /(?:^|\/)(?:k8s|kubernetes|helm|charts|manifests|terraform|ansible|cloudformation|deploy(?:ment)?s?)\/[^\n]*\.(?:ya?ml|json|tpl)$/,
      /(?:^|\/)(?:nginx\.conf|httpd\.conf|haproxy\.cfg|Caddyfile|traefik\.ya?ml|Vagrantfile|playbook\.ya?ml|Procfile|fly\.toml|app\.ya?ml)$/,
    ],
    words: [],
    lines: null,
  },
]

/** Scripts that run when somebody installs: a change of a manifest that is one of the build. */
export const INSTALL_SCRIPT = /"(?:pre|post)?install"\s*:|"prepare"\s*:/

/**
 * The first line of a manifest as Kubernetes takes it: its groups are `v1`, `apps/v1` and their like, or names of a
 * domain. Other formats have an `apiVersion` of their own.
 */
export const MANIFEST =
  /^\s*(?:- )?apiVersion:\s*["']?(?:v1|(?:apps|batch|autoscaling|policy|extensions)\/v\d\w*|(?!backstage\.)[\w-]+(?:\.[\w-]+)+\/v\d\w*|\{\{.+)["']?\s*(?:#.*)?$/

/** Any format's. */
export const API_VERSION = /^\s*(?:- )?apiVersion\s*:/

/** Kinds that say by themselves that a part of a manifest is one, where its first line is not in sight. */
export const MANIFEST_KIND =
  /^\s*(?:- )?kind:\s*["']?(?:Deployment|StatefulSet|DaemonSet|ReplicaSet|CronJob|Pod|Service|ServiceAccount|Ingress|NetworkPolicy|(?:Cluster)?Role(?:Binding)?|ConfigMap|Secret|Namespace|PersistentVolume(?:Claim)?|HorizontalPodAutoscaler|PodDisruptionBudget|PodSecurityPolicy|CustomResourceDefinition|(?:Validating|Mutating)WebhookConfiguration)["']?\s*(?:#.*)?$/
