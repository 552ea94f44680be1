module firmquote.example/maker

go 1.19

require (
	github.com/btcsuite/btcd v0.20.1-beta
	github.com/gorilla/websocket v1.5.0
	golang.org/x/crypto v0.4.0
)

require golang.org/x/sys v0.3.0 // indirect
