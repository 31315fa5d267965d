# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_stakeout_global_optspecs
    string join \n ascii stdio= env= url= header= mcp-config= discover trust connect-timeout= v/verbose h/help V/version
end

function __fish_stakeout_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_stakeout_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_stakeout_using_subcommand
    set -l cmd (__fish_stakeout_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c stakeout -n "__fish_stakeout_needs_command" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_needs_command" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_needs_command" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_needs_command" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_needs_command" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_needs_command" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_needs_command" -l ascii -d 'Draw the screen with ASCII alone, as where the locale has nothing else'
complete -c stakeout -n "__fish_stakeout_needs_command" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_needs_command" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_needs_command" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_needs_command" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_needs_command" -s V -l version -d 'Print version'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "run" -d 'Wait until a tool\'s output says what you are waiting for'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "call" -d 'Call a tool once, and print its observation; exit code 1 on a tool error'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "tools" -d 'List a server\'s tools'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "servers" -d 'List the servers, and where they come from'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "list" -d 'List the saved waits and the recordings'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "check" -d 'Validate a spec: is it portable, what does it need, what is odd about it'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "replay" -d 'Play back a recording; with a condition, say what the wait would have come to'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "serve" -d 'Be an MCP server whose tool wait_for waits, for agents'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "demo-server" -d 'Be the demo server, over stdin and stdout'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "completions" -d 'Print what completes this command line in a shell'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "man" -d 'Print the manual page of stakeout, or of one of its commands'
complete -c stakeout -n "__fish_stakeout_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l server -d 'Which server\'s tool; needed only where it isn\'t clear' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l tool -d 'The tool to sample' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l args -d 'The arguments: a JSON object, @FILE, or - for standard input' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l arg -d 'One argument: K=V is a string, K:=JSON is anything else' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l matches -d 'Stop when the output matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l not-matches -d 'Stop when the output no longer matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l quiet-for -d 'Stop when the output has not changed for this long' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l fail-when -d 'Stop with exit code 1 when the output matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l ignore -d 'What this regex matches is left out when outputs are compared' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l tool-errors -d 'What a tool error may do: guard, observe or fail [default: guard]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l poll -d 'From the end of one sample to the start of the next [default: 2s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l max-wait -d 'The budget; over 300s is clamped to 300s [default: 120s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l rounds -d 'How many budgets may follow one another; only a timeout starts the next [default: 1]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l retry-errors -d 'How many failed samples in a row are tolerated [default: 0]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l probe-timeout -d 'How long one sample may take' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l output -d 'What stdout gets: json (the result), jsonl (every event as it happens), text (the last observation), aura (server-sent events in AURA\'s words) or none' -r -f -a "json\t'The result, or an object with the error'
jsonl\t'Every event as it happens, the result last'
text\t'The last observation'
aura\t'The events of AURA\'s streaming API'
none\t'Nothing'"
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l record -d 'Record the wait to this new file alone, instead of one among the recordings' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l no-record -d 'Don\'t record the wait'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -s q -l quiet -d 'Say nothing on stderr'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand run" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l server -d 'Which server\'s tool; needed only where it isn\'t clear' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l args -d 'The arguments: a JSON object, @FILE, or - for standard input' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l arg -d 'One argument: K=V is a string, K:=JSON is anything else' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l probe-timeout -d 'How long the call may take' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l json -d 'Print the result as it came, not as it is observed'
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand call" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l server -d 'The server, said as `run` and `call` take it' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l json -d 'Print the tools with their schemas'
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand tools" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l json -d 'Print JSON'
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand servers" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand list" -l json -d 'Print JSON'
complete -c stakeout -n "__fish_stakeout_using_subcommand list" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand list" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand check" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l matches -d 'Stop when the output matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l not-matches -d 'Stop when the output no longer matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l quiet-for -d 'Stop when the output has not changed for this long' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l fail-when -d 'Stop with exit code 1 when the output matches this regex' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l ignore -d 'What this regex matches is left out when outputs are compared' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l tool-errors -d 'What a tool error may do: guard, observe or fail [default: guard]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l speed -d 'How fast events are told: 1 is as they happened, 2 twice as fast [default: at once]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -l output -d 'What stdout gets: jsonl (every event; the default), json (the result; the default with a condition), text (the last observation), aura (AURA\'s events) or none' -r -f -a "json\t'The result, or an object with the error'
jsonl\t'Every event as it happens, the result last'
text\t'The last observation'
aura\t'The events of AURA\'s streaming API'
none\t'Nothing'"
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -s q -l quiet -d 'Say nothing on stderr'
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand replay" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l allow -d 'Let this tool be probed though it doesn\'t say that it only reads; globs, such as \'ci/get_*\'' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l default-max-wait -d 'The budget of a wait whose caller doesn\'t say; at most the cap [default: 120s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l max-wait-cap -d 'The longest that one call may wait, for hosts that cut off longer ones; at most 300s [default: 300s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l max-waits -d 'How many waits may run at once, at most 1000' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l record -d 'Record every wait, in this folder or where waits are recorded anyway' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l http -d 'Serve over streamable HTTP, at /mcp, instead of stdin and stdout; beyond this machine only with a token, from STAKEOUT_TOKEN or --token-file' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l token-file -d 'A file with the token that callers must bring, over STAKEOUT_TOKEN' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l allow-host -d 'A name under which this server is reached, beside localhost; where any is given, others are refused' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l allow-origin -d 'An origin whose web pages may call, such as https://app.example.com' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l stdio -d 'Start this command line as a server; split by POSIX quoting, without a shell' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l env -d 'A variable for --stdio\'s server, beside the inherited ones' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l url -d 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l header -d 'A header for --url\'s server' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l mcp-config -d 'A file with mcpServers, or AURA\'s or Codex\'s TOML, over the project\'s ./.mcp.json and the user\'s own' -r -F
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l connect-timeout -d 'How long connecting may take, over an entry\'s own timeout [default: 30s]' -r
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l discover -d 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -l trust -d 'Approve the servers of the project\'s files and of the spec, for this once'
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -s v -l verbose -d 'Tell errors with their causes'
complete -c stakeout -n "__fish_stakeout_using_subcommand serve" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand demo-server" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand completions" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand man" -s h -l help -d 'Print help'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "run" -d 'Wait until a tool\'s output says what you are waiting for'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "call" -d 'Call a tool once, and print its observation; exit code 1 on a tool error'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "tools" -d 'List a server\'s tools'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "servers" -d 'List the servers, and where they come from'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "list" -d 'List the saved waits and the recordings'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "check" -d 'Validate a spec: is it portable, what does it need, what is odd about it'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "replay" -d 'Play back a recording; with a condition, say what the wait would have come to'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "serve" -d 'Be an MCP server whose tool wait_for waits, for agents'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "demo-server" -d 'Be the demo server, over stdin and stdout'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "completions" -d 'Print what completes this command line in a shell'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "man" -d 'Print the manual page of stakeout, or of one of its commands'
complete -c stakeout -n "__fish_stakeout_using_subcommand help; and not __fish_seen_subcommand_from run call tools servers list check replay serve demo-server completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
