@rem Stands for the exec of other shells in package.json's scripts: runs the command that follows.
@%*
