module firmquote.example/verifier

go 1.19

require (
	github.com/btcsuite/btcd v0.20.1-beta
	golang.org/x/crypto v0.4.0
	golang.org/x/mod v0.7.0
)
