// Determines a file's language by its name or extension, with the names of GitHub Linguist.

// One line per language: its name, then extensions (with a dot) and whole file names, separated by spaces.
const table = `
Ada: .adb .ads
AngelScript: .angelscript
Apex: .apex .trigger
AppleScript: .applescript .scpt
AsciiDoc: .adoc .asciidoc
ASP.NET: .aspx .ascx .ashx .asmx .master
Assembly: .asm .s .nasm
Astro: .astro
AutoHotkey: .ahk
Awk: .awk
Ballerina: .bal
Batchfile: .bat .cmd
Bicep: .bicep
Blade: .blade.php
C: .c .h
C#: .cs .csx
C++: .cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .inl .ipp .tpp
Cairo: .cairo
Clojure: .clj .cljs .cljc .edn
CMake: .cmake CMakeLists.txt
COBOL: .cob .cbl .cobol .cpy
CODEOWNERS: CODEOWNERS
CoffeeScript: .coffee
ColdFusion: .cfm .cfc .cfml
Common Lisp: .lisp .lsp .cl
Crystal: .cr
CSS: .css
CSV: .csv
Cuda: .cu .cuh
CUE: .cue
Cython: .pyx .pxd
D: .d .di
Dart: .dart
Dhall: .dhall
Diff: .diff .patch
Dockerfile: .dockerfile Dockerfile Containerfile
Dotenv: .env
EditorConfig: .editorconfig
EJS: .ejs
Elixir: .ex .exs
Elm: .elm
Emacs Lisp: .el
Erlang: .erl .hrl
F#: .fs .fsi .fsx
Fluent: .ftl
Forth: .forth .4th
Fortran: .f .for .f77 .f90 .f95 .f03 .f08
GDScript: .gd
Gherkin: .feature
Git Attributes: .gitattributes
Git Config: .gitconfig .gitmodules
Gleam: .gleam
GLSL: .glsl .vert .frag .geom
Go: .go
Go Checksums: go.sum go.work.sum
Go Module: go.mod
Go Workspace: go.work
Gradle: .gradle
GraphQL: .graphql .gql .graphqls
Groovy: .groovy .gvy .gsh Jenkinsfile
Hack: .hack
Haml: .haml
Handlebars: .hbs .handlebars
Haskell: .hs .lhs
HCL: .hcl .nomad .tf .tfvars
HLSL: .hlsl .fx
HTML: .html .htm .xhtml
HTML+EEX: .html.eex .heex .leex
HTML+ERB: .html.erb .erb
HTML+Razor: .cshtml .razor
Idris: .idr
Ignore List: .gitignore .dockerignore .npmignore .eslintignore .prettierignore
INI: .ini .cfg .prefs
Java: .java
Java Properties: .properties
Java Server Pages: .jsp .jspx
JavaScript: .js .cjs .mjs .jsx Jakefile
JSON: .json .geojson .webmanifest .har .sarif composer.lock Pipfile.lock
JSON with Comments: .jsonc .code-workspace tsconfig.json jsconfig.json
JSON5: .json5
Jsonnet: .jsonnet .libsonnet
Julia: .jl
Jupyter Notebook: .ipynb
Just: justfile .justfile Justfile
Kotlin: .kt .kts
Lean: .lean
Less: .less
Liquid: .liquid
LLVM: .ll
Lua: .lua
Makefile: .mk .mak Makefile makefile GNUmakefile
Markdown: .md .markdown .mkd
MATLAB: .matlab
MDX: .mdx
Meson: meson.build meson_options.txt
Mojo: .mojo
Move: .move
Mustache: .mustache
Nginx: nginx.conf
Nim: .nim .nims
Nix: .nix
Nunjucks: .njk
Objective-C: .m
Objective-C++: .mm
OCaml: .ml .mli
Odin: .odin
OpenSCAD: .scad
Pascal: .pas .dpr .lpr
Perl: .pl .pm .t .psgi
PHP: .php .php3 .php4 .php5 .phtml
PLpgSQL: .pgsql
PLSQL: .pls .plsql .pks .pkb
PowerShell: .ps1 .psm1 .psd1
Prisma: .prisma
Processing: .pde
Prolog: .prolog .pro
Protocol Buffer: .proto
Pug: .pug .jade
Puppet: .pp
PureScript: .purs
Python: .py .pyw .pyi .wsgi SConstruct SConscript
QML: .qml
R: .r .rmd
Racket: .rkt
Raku: .raku .rakumod .p6
ReScript: .res .resi
reStructuredText: .rst
Ruby: .rb .rake .gemspec .ru Gemfile Rakefile Podfile Vagrantfile Fastfile Brewfile Guardfile Gemfile.lock
Rust: .rs
Sass: .sass
Scala: .scala .sc .sbt
Scheme: .scm .ss .sld
SCSS: .scss
Shell: .sh .bash .zsh .ksh .bats .bashrc .zshrc .profile
Slim: .slim
Smali: .smali
Smalltalk: .st
Smarty: .tpl
Solidity: .sol
SQL: .sql .ddl .dml
Standard ML: .sml
Starlark: .bzl .star BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel Tiltfile
Stylus: .styl
SVG: .svg
Svelte: .svelte
Swift: .swift
SystemVerilog: .sv .svh
Tcl: .tcl
Templ: .templ
Terraform Template: .tftpl
TeX: .tex .sty .cls .bib
Text: .txt LICENSE README
Thrift: .thrift
TOML: .toml Cargo.lock poetry.lock uv.lock Pipfile
TSV: .tsv
TSX: .tsx
Twig: .twig
TypeScript: .ts .cts .mts
V: .v
Vala: .vala
Velocity Template Language: .vm .vtl
Verilog: .vh
VHDL: .vhd .vhdl
Vim Script: .vim .vimrc
Visual Basic .NET: .vb
VBA: .bas .frm
VBScript: .vbs
Visualforce Page: .page
Vue: .vue
Vyper: .vy
WebAssembly: .wat .wast
WGSL: .wgsl
XML: .xml .xsd .wsdl .xaml .csproj .vbproj .fsproj .props .targets .nuspec .resx .plist .pom .config
XSLT: .xsl .xslt
YAML: .yml .yaml .clang-format .clang-tidy yarn.lock pubspec.lock
Zig: .zig .zon
`

const byName = new Map<string, string>()
for (const row of table.trim().split('\n')) {
  const cut = row.indexOf(': ')
  for (const name of row.slice(cut + 2).split(' ')) byName.set(name.toLowerCase(), row.slice(0, cut))
}

/** The language of a path, or null. The whole name wins, then the longest extension: `x.blade.php` before `x.php`. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const whole = byName.get(name)
  if (whole !== undefined) return whole
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const found = byName.get(name.slice(dot))
    if (found !== undefined) return found
  }
  // Such as `Dockerfile.dev`.
  const stem = name.slice(0, Math.max(name.indexOf('.'), 0))
  return stem === 'dockerfile' || stem === 'containerfile' || stem === 'jenkinsfile' || stem === 'makefile'
    ? (byName.get(stem) ?? null)
    : null
}
