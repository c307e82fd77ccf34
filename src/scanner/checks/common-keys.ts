// Signing keys in common use: defaults, examples of tutorials, and placeholders that were never changed.

const words = `
secret Secret SECRET secret1 secret12 secret123 secret1234 secret123! Secret123 Secret123! secretkey secretKey
SecretKey SECRETKEY secret_key secret-key SECRET_KEY my-secret mysecret mySecret MySecret my_secret
my-secret-key my_secret_key mysecretkey mySecretKey MySecretKey my-super-secret-key mysupersecretkey
mysupersecret supersecret super-secret super_secret superSecret SuperSecret supersecretkey super-secret-key
super_secret_key superSecretKey supersecret123 super-secret-password supersecretpassword topsecret top-secret
top_secret topSecret verysecret very-secret very_secret verysecretkey very-secret-key very_secret_key jwt JWT
jwtsecret jwt-secret jwt_secret jwtSecret JwtSecret JWTSecret JWT_SECRET jwtsecretkey jwt-secret-key
jwt_secret_key JWT_SECRET_KEY jwtSecretKey jwtkey jwt-key jwt_key JWT_KEY jwtprivatekey jwtPrivateKey
myjwtsecret my-jwt-secret my_jwt_secret jwt123 jwttoken jwt-token jwt_token jwtpassword key key1 key123 mykey
my-key my_key myKey MyKey thekey privatekey private-key private_key privateKey PRIVATE_KEY publickey signingkey
signing-key signing_key signingKey sign-key signkey signature hmac hmackey hmac-key hmac-secret hmacsecret hs256
HS256 hs256-secret hs256secret authkey auth-key auth_key AUTH_KEY authsecret auth-secret auth_secret AUTH_SECRET
appkey app-key app_key APP_KEY appsecret app-secret app_secret APP_SECRET apikey api-key api_key API_KEY
apisecret api-secret api_secret API_SECRET accesskey access-key access_secret access-token-secret
access_token_secret ACCESS_TOKEN_SECRET accesstokensecret refresh_token_secret refresh-token-secret token
tokensecret token-secret token_secret TOKEN_SECRET tokenkey token_key TOKEN_KEY token123 mytoken session
sessionsecret session-secret session_secret SESSION_SECRET sessionkey session_key cookie cookiesecret
cookie-secret cookie_secret keyboardcat keyboard-cat keyboard_cat flasksecret flask-secret flask_secret
flask-secret-key django-insecure django-secret-key laravel symfony express expresssecret express-secret node
nodejs node-secret spring springboot spring-secret rails rails-secret shh shhh shhhh shhhhh shhhhhh shhhhhhh
shared shared-secret shared_secret sharedsecret sharedSecret password Password PASSWORD password1 Password1
Password1! password12 password123 Password123 Password123! passwd pass pass123 passw0rd p@ssw0rd P@ssw0rd
P@ssword p@ssword P@$$w0rd passphrase mypassword my-password my_password admin Admin ADMIN admin1 admin12
admin123 admin1234 Admin123 admin@123 Admin@123 administrator root Root root123 toor user user1 user123 guest
guest123 demo demo123 test Test TEST test1 test12 test123 test1234 testing testkey test-key test_key testsecret
test-secret test_secret tests tester dev dev-secret dev_secret devsecret development develop developer staging
stage prod production prod-secret local localhost local-secret default default-secret default_secret
defaultsecret default-key default_key example example-key example-secret example_secret sample sample-secret
dummy dummy-secret dummykey placeholder temp temporary tmp foo bar foobar foobarbaz baz qux hello hello123
helloworld hello-world hello_world HelloWorld world none null undefined nil empty void blank true false changeme
change-me change_me changeMe ChangeMe CHANGEME CHANGE_ME changeit changethis change-this change_this
changethissecret change-this-secret change_this_secret change-in-production change_in_production
change-me-in-production change_me_in_production please-change please-change-me replaceme replace-me replace_me
REPLACE_ME replace_this_secret your-secret your_secret yoursecret yourSecret YOUR_SECRET your-secret-key
your_secret_key yoursecretkey yourSecretKey YOUR_SECRET_KEY your-256-bit-secret your-384-bit-secret
your-512-bit-secret your_jwt_secret your-jwt-secret yourjwtsecret YOUR_JWT_SECRET your_jwt_secret_key
your-super-secret-key your-super-secret-jwt-key insert-secret-here secret-goes-here put-your-secret-here
a-secret a_secret asecret thisisasecret this-is-a-secret this_is_a_secret thisisasecretkey thisismysecret
this-is-my-secret this_is_my_secret thisismysecretkey thisisnotasecret not-a-secret notasecret nosecret
no-secret random randomkey random-key random_key randomsecret random-secret randomstring random-string crypto
encryption encryptionkey encryption-key encryption_key masterkey master-key master_key master mastersecret salt
pepper somesalt mysalt hash 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 123123 123321
654321 987654321 0987654321 111111 000000 00000000 11111111 121212 112233 666666 888888 123abc 123qwe 1q2w3e
1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwe123 qweasd qwerty Qwerty qwerty1 qwerty12 qwerty123 Qwerty123 qwertyuiop asdf
asdfgh asdfghjkl asd123 zxcvbn zxcvbnm abc abc123 abcd abcd1234 abcde abcdef abcdefg abcdefgh
abcdefghijklmnopqrstuvwxyz aaaa a1b2c3 a1b2c3d4 0000 1111 a b x letmein welcome welcome1 welcome123 monkey
dragon sunshine iloveyou trustno1 master123 login access pa55word hunter2 starwars whatever freedom hacker hack
hacked hackme vulnerable insecure unsafe unsecure weak weakkey weak-key weak_key weaksecret weak-secret
weak_secret crackme easy simple simplekey simplesecret basic public private internal company mycompany acme app
myapp my-app my_app webapp website server backend api myapi my-api service service-secret microservice client
client-secret client_secret clientsecret oauth oauth2 oauth-secret sso auth Auth authentication authorization
authorize bearer bearersecret identity keycloak firebase supabase graphql graphql-secret rest restapi mongodb
postgres mysql redis docker vue react angular next nextauth nextauth-secret NEXTAUTH_SECRET nuxt java javascript
typescript python php ruby golang rust kotlin dotnet aspnet shop store bank blog chat todo todoapp s3cr3t S3cr3t
s3cr3T S3CR3T s3cret secr3t s3cr3tk3y s3cr3t123 sup3rs3cr3t sup3rs3cr3tk3y s3cretkey secretsecret secret-secret
mysecret123 mysecretkey123 secretpassword secret-password secret_password secretpass secrettoken secret-token
secret_token secretphrase secretstring secretvalue thesecret the-secret the_secret somesecret some-secret
some_secret somesecretkey some-secret-key ultrasecret ultra-secret hardcoded hardcoded-secret hard-coded
`

const phrases = [
  'keyboard cat',
  'my secret',
  'super secret',
  'super secret key',
  'a secret key',
  'a secret',
  'the secret key',
  'some secret key',
  'very secret key',
  'my super secret key',
  'super secret string',
  'this is a secret key',
  'this is my secret key',
  'secret string',
  'random string',
  'some random string',
  'any random string',
  'dev key',
  'development key',
  'secret!',
  'you-will-never-guess',
  'top secret',
  'very secret',
  'change me',
  'change this',
  'secret key',
  'my secret key',
  'hello world',
  'this is a secret',
  'this is my secret',
  'your secret here',
  'some secret',
  'the secret',
  'please change me',
  'not so secret',
  'shared secret',
  'jwt secret',
]

/** Several hundred keys, the empty one first. */
export const commonKeys: readonly string[] = ['', ...words.trim().split(/\s+/), ...phrases]
